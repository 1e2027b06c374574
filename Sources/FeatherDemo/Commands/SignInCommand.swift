import WebServices

/// Signs in, and says as whom and for how long.
@MainActor
enum SignInCommand {
  static func run(_ context: CommandContext) async throws {
    let info = try await signIn(context)
    let report = Report(user: context.credentials.user, secondsRemaining: info.secondsRemaining)
    try report.print(asJSON: context.arguments.printsJSON)
  }

  /// Signs in with the form of `sendRequest` that is awaited.
  static func signIn(_ context: CommandContext) async throws -> AuthenticationInfo {
    let requestData = RequestDataForAuthenticate(
      userId: context.credentials.user, password: context.credentials.password)
    context.spinner.start("Signing in")
    defer { context.spinner.stop() }
    let info: AuthenticationInfo?
    do throws(WebServiceError) {
      info = try await JsonWebService.shared.sendRequest(requestData)
    } catch {
      throw context.failure("signing in", error)
    }
    guard let info else { throw context.failure("signing in", nil) }
    BasicAuthManager.shared.update(info)
    return info
  }
}
