import WebServices

/// Signs in, and prints the user and the token's lifetime.
@MainActor
enum SignInCommand {
  static func run(_ context: CommandContext) async throws {
    let info = try await signIn(context)
    let report = Report(user: context.credentials.user, secondsRemaining: info.secondsRemaining)
    try report.print(asJSON: context.arguments.printsJSON)
  }

  /// Sends the sign-in with the awaited form of `sendRequest`.
  static func signIn(_ context: CommandContext) async throws -> AuthenticationInfo {
    let requestData = RequestDataForAuthenticate(
      userId: context.credentials.user, password: context.credentials.password)
    context.spinner.start("Signing in")
    defer { context.spinner.stop() }
    let info: AuthenticationInfo
    do throws(WebServiceError) {
      info = try await JsonWebService.shared.sendRequest(requestData)
    } catch {
      throw context.failure("signing in", error)
    }
    BasicAuthManager.shared.update(info)
    return info
  }
}
