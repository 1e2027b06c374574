import Foundation

/// Who signs in, and with which password.
struct Credentials: Sendable {
  /// Where a password can come from.
  enum PasswordSource: Equatable, Sendable {
    case given(String)
    case prompt
    case demoAccount
    case none
  }

  static let passwordVariable = "FEATHER_PASSWORD"

  /// Of a command that doesn't sign in.
  static let none = Credentials(user: "", password: "")

  let user: String
  let password: String

  /// Where the password is to be had: the environment counts for more than the prompt, and the demo account's is used
  /// where no user was named, or where nobody can be asked and the demo's own backend is meant, which knows it.
  static func passwordSource(
    for arguments: Arguments, environment: [String: String], canPrompt: Bool
  ) -> PasswordSource {
    if let password = environment[passwordVariable], !password.isEmpty { return .given(password) }
    guard arguments.user != nil else { return .demoAccount }
    if canPrompt { return .prompt }
    return arguments.baseURL == nil ? .demoAccount : .none
  }

  /// Finds them out; asks for the password where need be.
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
        throw UsageError("no password was given.", command: arguments.command)
      }
      return Credentials(user: user, password: password)
    case .none:
      throw UsageError(
        "there is no password for \(user): set \(passwordVariable), or run this in a terminal to be asked"
          + " for it.",
        command: arguments.command)
    }
  }
}
