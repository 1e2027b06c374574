import WebServicesTesting

/// Scripts the feature's responses for a build with `USE_FAKES`.
enum MenuFakes {
  static func script(_ session: MockURLSession) {
    let login = DemoBackend.loginResponse(for: "canned user")
    session.script(.post, "/menu/login", .json((try? JSONText.of(login)) ?? "{}"))
    session.script(.get, "/menu/results", .json(DemoBackend.lotoResults))
  }
}
