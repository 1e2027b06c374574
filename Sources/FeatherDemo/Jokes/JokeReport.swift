/// The results of a sign-in and of a request for jokes, for people and for programs.
struct JokeReport: Encodable, Sendable {
  var user: String?
  var secondsRemaining: Int?
  var jokes: [Joke]?

  /// The lines for people.
  var lines: [String] {
    var lines: [String] = []
    if let user, let secondsRemaining {
      let lifetime =
        secondsRemaining > 0 ? " for \(Wording.duration(secondsRemaining))." : ", but the token has expired."
      lines.append("Signed in as \(Wording.oneLine(user))\(lifetime)")
    }
    for (index, joke) in (jokes ?? []).enumerated() { lines.append("\(index + 1). \(Wording.oneLine(joke.joke))") }
    return jokes?.isEmpty == true ? lines + ["The service has no jokes today."] : lines
  }
}
