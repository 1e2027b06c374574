/// The response to ``RequestDataForRandomJokes``.
struct JokeListResponse: Codable, Equatable, Sendable {
  /// The outcome; the service always sends `success`.
  var type: String
  var value: [Joke]
}
