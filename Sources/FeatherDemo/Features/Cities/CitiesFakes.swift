import WebServicesTesting

/// Scripts the feature's responses for a build with `USE_FAKES`.
enum CitiesFakes {
  static func script(_ session: MockURLSession) {
    session.script(.get, "/v1/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}]}"#))
  }
}
