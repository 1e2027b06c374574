/// The model that every contender decodes.
struct JokeList: Decodable, Sendable {
  struct Joke: Decodable, Sendable {
    var id: Int
    var joke: String
    var categories: [String]
  }

  var type: String
  var value: [Joke]

  func check() throws {
    if value.isEmpty { throw WrongResponse.noJokes }
  }
}

/// The response to an upload.
struct Receipt: Decodable, Sendable {
  var received: Int

  func check(_ sent: Int) throws {
    if received != sent { throw WrongResponse.bytes(received) }
  }
}
