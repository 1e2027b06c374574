import WebServices

/// Signs in and shows the cities.
@MainActor
enum CitiesCommand {
  private struct Materials: CitiesBuildingMaterials {
    let session: any KongAccessible
    let context: CommandContext
  }

  static func run(_ context: CommandContext) async throws {
    _ = try await SignInCommand.signIn(context)
    let session = AuthenticatedAccessor<KongAuth>(
      service: JsonWebService.shared, environment: .demo(at: context.wiring.baseURL))
    try await CitiesBuilder().make(with: Materials(session: session, context: context)).show()
  }
}
