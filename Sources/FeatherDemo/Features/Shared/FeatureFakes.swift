import WebServicesTesting

/// Scripts the responses of all features for a build with `USE_FAKES`.
enum FeatureFakes {
  static func script(_ session: MockURLSession, for arguments: Arguments, authorization: String?) {
    CitiesFakes.script(session)
    AccountFakes.script(session, for: arguments, authorization: authorization)
    PhotoFakes.script(session, for: arguments)
    MenuFakes.script(session)
  }
}
