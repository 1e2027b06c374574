import Foundation

/// The user that signs in, and the user's password.
struct Credentials: Sendable {
  /// The source of a password.
  enum PasswordSource: Equatable, Sendable {
    case given(String)
    case prompt
    case demoAccount
    case none
  }

  static let passwordVariable = "FEATHER_PASSWORD"

  /// The credentials of a command that doesn't sign in.
  static let none = Credentials(user: "", password: "")

  let user: String
  let password: String

  /// Chooses the source of the password. The environment variable comes first, then a prompt. The demo account's
  /// password is used if no user was named. It is also used if no prompt is possible and the server is the demo's own.
  static func passwordSource(
    for arguments: Arguments, environment: [String: String], canPrompt: Bool
  ) -> PasswordSource {
    if let password = environment[passwordVariable], !password.isEmpty { return .given(password) }
    guard arguments.user != nil else { return .demoAccount }
    if canPrompt { return .prompt }
    return arguments.baseURL == nil ? .demoAccount : .none
  }

  /// Reads the credentials, and prompts for the password if necessary.
  static func find(for arguments: Arguments) async throws(UsageError) -> Credentials {
    let user = arguments.user ?? DemoAccount.user
    let source = passwordSource(
      for: arguments, environment: ProcessInfo.processInfo.environment, canPrompt: Terminal.isInputTerminal)
    switch source {
    case .given(let password):
      return Credentials(user: user, password: password)
    case .demoAccount:
      return Credentials(user: user, password: DemoAccount.password)
    case .prompt:
      guard let password = await PasswordPrompt.ask(for: user), !password.isEmpty else {
        throw UsageError("the password is empty; type it, or set \(passwordVariable).", command: arguments.command)
      }
      return Credentials(user: user, password: password)
    case .none:
      throw UsageError(
        "there is no password for \(user); set \(passwordVariable), or run this in a terminal, which"
          + " prompts for it.",
        command: arguments.command)
    }
  }
}
