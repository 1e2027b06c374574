@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct OAuth2MetadataTests {
  private static let json = #"""
    {"issuer": "https://server.example.com/a", "authorization_endpoint": "https://server.example.com/authorize",
     "token_endpoint": "https://server.example.com/token", "revocation_endpoint": "https://server.example.com/revoke",
     "response_types_supported": ["code"]}
    """#

  private func metadata(
    of issuer: String, _ json: String, path: String = "/a"
  ) async throws -> Result<OAuth2.Metadata, WebServiceError> {
    let harness = VirtualHarness.scripted { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase }
    harness.session.script(.get, path + "/.well-known/openid-configuration", .json(json))
    let request = OAuth2.metadataRequest(issuer: testURL(issuer))
    do throws(WebServiceError) {
      return .success(try await harness.service.sendRequest(request, as: OAuth2.Metadata.self))
    } catch { return .failure(error) }
  }

  @Test(arguments: [
    ("https://a.example.com", "", ""), ("https://a.example.com/", "", ""),
    ("https://a.example.com:8443/t/1/", "/t/1", ":8443"),
  ])
  func documentPathFollowsBothStandards(issuer: String, path: String, port: String) {
    let (issuer, origin) = (testURL(issuer), "https://a.example.com" + port)
    expectEqual(OAuth2.metadataRequest(issuer: issuer).path, origin + path + "/.well-known/openid-configuration")
    let other = OAuth2.metadataRequest(issuer: issuer, document: .oauth)
    expectEqual(other.path, origin + "/.well-known/oauth-authorization-server" + path)
  }

  @Test func metadataIsReadWithAnyDecoder() async throws {
    let metadata = try await metadata(of: "https://server.example.com/a/", Self.json).get()
    expectEqual(metadata.tokenURL, testURL("https://server.example.com/token"))
    expectEqual(metadata.revocationURL, testURL("https://server.example.com/revoke"))
    expectEqual(metadata.userInfoURL, nil)
  }

  @Test func otherIssuerIsRefused() async throws {
    let issuer = "https://server.example.com"
    let other = try await metadata(of: issuer, Self.json, path: "").failure
    #expect(other?.kind == .invalidResponse && "\(other as Any)".contains("https://server.example.com/a"))
    let damaged = try await metadata(of: issuer, #"{"issuer": "https://server.example.com"}"#, path: "").failure
    #expect(damaged?.kind == .undecodableBody && damaged?.codingPath == ["token_endpoint"])
  }

  @Test(arguments: ["https", "HTTPS", "http"])
  func secureIssuerNamesSecureEndpoints(scheme: String) async throws {
    let endpoints = ["authorize", "revoke", "token", "userinfo"].map { "server.example.com/\($0)" }
    let whole = Self.json.replacingOccurrences(
      of: "\"token_endpoint\"", with: #""userinfo_endpoint": "https://server.example.com/userinfo", "token_endpoint""#)
    for endpoint in endpoints {
      let json = whole.replacingOccurrences(of: "https://\(endpoint)", with: "http://\(endpoint)")
        .replacingOccurrences(of: "https://server.example.com/a\"", with: "\(scheme)://server.example.com/a\"")
      let error = try await metadata(of: "\(scheme)://server.example.com/a", json).failure
      expectEqual(error?.kind, (scheme == "http" ? nil : .invalidResponse))
      #expect(scheme == "http" || "\(error as Any)".contains("http://\(endpoint)"))
    }
  }
}
