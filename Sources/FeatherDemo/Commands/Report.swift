/// The results of a sign-in and of a request for jokes, formatted for people or encoded for programs.
struct Report: Encodable, Equatable, Sendable {
  var user: String?
  var secondsRemaining: Int?
  var jokes: [Joke]?

  /// The lines for people.
  var lines: [String] {
    var lines: [String] = []
    if let user, let secondsRemaining {
      lines.append(Self.signedIn(Wording.oneLine(user), secondsRemaining))
    }
    if let jokes {
      lines += jokes.isEmpty ? ["The service has no jokes today."] : Self.numbered(jokes.map(\.joke))
    }
    return lines
  }

  func print(asJSON: Bool) throws {
    if asJSON {
      Console.data(try JSONText.of(self))
    } else {
      lines.forEach(Console.result)
    }
  }

  private static func signedIn(_ user: String, _ seconds: Int) -> String {
    guard seconds > 0 else { return "Signed in as \(user), but the token has expired already." }
    return "Signed in as \(user) for \(Wording.duration(seconds))."
  }

  /// Numbers the jokes, one line each. Line breaks within a joke become spaces.
  private static func numbered(_ jokes: [String]) -> [String] {
    let width = "\(jokes.count)".count
    return jokes.enumerated().map { index, joke in
      let number = "\(index + 1)"
      let padding = String(repeating: " ", count: width - number.count)
      return "\(padding)\(number). \(Wording.oneLine(joke))"
    }
  }
}
