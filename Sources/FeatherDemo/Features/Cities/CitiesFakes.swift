import WebServicesTesting

/// The feature's canned answers.
enum CitiesFakes {
  static func script(_ session: MockURLSession) {
    session.script(.get, "/v1/cities", .json(#"{"cities": [{"name": "London"}, {"name": "Bath"}]}"#))
  }
}
