import WebServicesTesting

/// Scripts the feature's response for a build with `USE_FAKES`.
enum PhotoFakes {
  static func script(_ session: MockURLSession, for arguments: Arguments) {
    let photo = DemoBackend.photo(arguments.photoID, at: "http://\(FakeSession.host)")
    session.script(.get, "/photos/\(arguments.photoID)", .json((try? JSONText.of(photo)) ?? "{}"))
  }
}
