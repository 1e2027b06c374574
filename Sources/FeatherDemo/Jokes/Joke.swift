/// One joke, as the service gives it.
struct Joke: Codable, Equatable, Sendable {
  var id: Int
  var joke: String
  var categories: [String]
}
