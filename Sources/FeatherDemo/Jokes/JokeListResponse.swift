/// The answer to a request for jokes.
struct JokeListResponse: Codable, Equatable, Sendable {
  /// `success`
  var type: String
  /// The jokes.
  var value: [Joke]
}
