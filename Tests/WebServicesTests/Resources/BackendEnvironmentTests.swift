@testable import WebServicesTestSupport

@Suite struct BackendEnvironmentTests {
  @Test(arguments: [
    (ResourcePath.api(.core, "/v1/cities"), "https://core.example.com/v1/cities"),
    (.api(.core, "v1/cities?q=a b#top"), "https://core.example.com/v1/cities?q=a%20b"),
    (.api(.core, ""), "https://core.example.com/"),
    (.api(.clinical, "/wards/ü"), "https://example.com/clinical/wards/%C3%BC"),
    (.url(URL(fileURLWithPath: "/")), "file:///"),
  ])
  func pathIsAppendedToTheBaseURL(path: ResourcePath, url: String) throws {
    expectEqual(try BackendEnvironment.production.url(of: path).absoluteString, url)
  }

  @Test(arguments: [
    ResourcePath.api(.core, "/wards?x=secret"), .url(testURL("https://example.com/wards?x=secret")),
    .url(testURL("https://user:secret@example.com/wards")),
  ])
  func descriptionHasNoQuery(path: ResourcePath) {
    #expect("\(path)".hasSuffix("/wards"))
    #expect(!printedTexts(of: path).contains("secret"))
  }

  @Test func environmentSelectsTheURL() throws {
    expectEqual(
      try BackendEnvironment.staging.url(of: .api(.core, "/v1/cities")).absoluteString,
      "https://core.staging.example.com:8443/base/v1/cities")
  }

  @Test(
    arguments: [
      (ResourcePath.api(.clinical, "/wards?x=secret"), "the environment broken has no backend clinical"),
      (.api(Backend("empty"), "/a"), "no scheme"),
      (.api(Backend("ftp"), "/a"), "neither http nor https"),
      (.api(Backend("user"), "/a"), "user info"),
      (.api(.core, "https://evil.example.com/"), "it is absolute"),
      (.api(.core, "//evil.example.com/"), "a host but no scheme"),
      (.api(.core, "/a/../b"), "a path segment"),
      (.api(.core, "/a/\(segment: "")"), "a path parameter is empty"),
      (.api(.core, "/a\r\nb"), "a control character"),
    ])
  func unresolvableResourceIsABadURL(path: ResourcePath, reason: String) throws {
    let environment = BackendEnvironment(
      "broken",
      [
        .core: "https://core.example.com", Backend("empty"): "", Backend("ftp"): "ftp://example.com",
        Backend("user"): "https://user:secret@example.com?secret",
      ])
    #expect(!printedTexts(of: environment).contains("secret"))
    let error = try #require(throws: WebServiceError.self) { try environment.url(of: path) }
    expectEqual(error.kind, .badURL)
    expectEqual(error.phase, .describe)
    #expect(error.message.contains(reason))
    #expect(!error.description.contains("secret"))
  }
}
