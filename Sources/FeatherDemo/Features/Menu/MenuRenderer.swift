import Foundation
import WebServices

/// Formats the user and the lottery results for the terminal.
enum MenuRenderer {
  static func line(for login: LoginResponse) -> String {
    "Logged in as \(Wording.oneLine(login.name)) (id \(Wording.oneLine(login.userId)))."
  }

  static func lines(for results: [LotoResult]) -> [String] {
    results.isEmpty ? ["There are no results."] : results.map(line)
  }

  /// Explains an error with the server's own message.
  static func lines(for error: MenuError, action: String) -> [String] {
    switch error {
    case .generalResponseError:
      ["FeatherDemo: \(action) failed. The service refused it without a reason."]
    case .unauthorizedAccess(let body):
      [
        "FeatherDemo: \(action) failed. \(words(of: body))",
        "Check the user (--user) and the password (FEATHER_PASSWORD).",
      ]
    case .response(let body):
      ["FeatherDemo: \(action) failed. \(words(of: body))"]
    }
  }

  /// Formats one result. A missing member isn't replaced by a default value.
  private static func line(for result: LotoResult) -> String {
    let numbers = result.numbers.map(String.init).joined(separator: " ")
    let extra = result.extraNumber.map { " + \($0)" } ?? ""
    let prizes = result.prizes.map { Wording.count($0.count, "prize") } ?? "prizes not known yet"
    return "\(day(of: result.drawingDate))  \(Wording.oneLine(result.draw.name)): \(numbers)\(extra), \(prizes)"
  }

  private static func words(of body: MenuResponseError) -> String {
    let code = body.code.map { " (\(Wording.oneLine($0)))" } ?? ""
    return "The service says: \(Wording.oneLine(body.message))\(code)"
  }

  private static func day(of date: Date) -> String {
    String(date.ISO8601Format().prefix(10))
  }
}
