import WebServicesTesting

/// Scripts canned responses for the cities feature. A build with `USE_FAKES` uses these responses instead of a server.
enum CitiesFakes {
  static func script(_ session: MockURLSession) {
    session.script(.get, "/v1/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}]}"#))
  }
}
