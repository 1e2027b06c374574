/// The user that signs in, and the user's password. The password is never an argument, because everybody on the machine
/// can read arguments.
struct Credentials: Equatable, Sendable {
  static let passwordVariable = "FEATHER_PASSWORD"

  let user: String
  let password: String

  /// The password comes from the environment. Without one the demo account's password is used, but never for a named
  /// user on another server.
  init(for arguments: Arguments, environment: [String: String]) throws(UsageError) {
    let given = environment[Self.passwordVariable].flatMap { $0.isEmpty ? nil : $0 }
    guard given != nil || arguments.user == nil || arguments.baseURL == nil else {
      throw UsageError(
        "there is no password for \(arguments.user ?? ""); set \(Self.passwordVariable).", arguments.command)
    }
    user = arguments.user ?? DemoAccount.user
    password = given ?? DemoAccount.password
  }
}
