/// One joke of the service.
struct Joke: Codable, Equatable, Sendable {
  var id: Int
  var joke: String
  var categories: [String]
}
