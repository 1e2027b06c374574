import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite(.leavesNothing) struct OAuth2MetadataTests {
  private static let json = #"""
    {"issuer": "https://server.example.com/a", "authorization_endpoint": "https://server.example.com/authorize",
     "token_endpoint": "https://server.example.com/token", "revocation_endpoint": "https://server.example.com/revoke",
     "jwks_uri": "https://server.example.com/jwks.json", "scopes_supported": ["openid", "read"],
     "response_types_supported": ["code"]}
    """#

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(
    arguments: [
      ("https://a.example.com", "https://a.example.com/.well-known/"),
      ("https://a.example.com/", "https://a.example.com/.well-known/"),
    ])
  func documentPathFollowsBothStandards(issuer: String, folder: String) throws {
    let issuer = try url(issuer)
    #expect(RequestDataForOAuth2Metadata(issuer: issuer).path == folder + "openid-configuration")
    #expect(
      RequestDataForOAuth2Metadata(issuer: issuer, document: .oauth).path == folder + "oauth-authorization-server")
  }

  @Test func issuerPathIsCombined() throws {
    let issuer = try url("https://a.example.com:8443/t/1/")
    #expect(
      RequestDataForOAuth2Metadata(issuer: issuer).path
        == "https://a.example.com:8443/t/1/.well-known/openid-configuration")
    #expect(
      RequestDataForOAuth2Metadata(issuer: issuer, document: .oauth).path
        == "https://a.example.com:8443/.well-known/oauth-authorization-server/t/1")
  }

  @Test func metadataIsReadWithAnyDecoder() async throws {
    let harness = VirtualHarness.scripted { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase }
    harness.session.script(.get, "/a/.well-known/openid-configuration", .json(Self.json))
    let request = RequestDataForOAuth2Metadata(issuer: try url("https://server.example.com/a/"))
    let metadata = try await harness.service.sendRequest(request, as: OAuth2Metadata.self)
    #expect(metadata.tokenURL == (try url("https://server.example.com/token")))
    #expect(metadata.revocationURL == (try url("https://server.example.com/revoke")))
    #expect(metadata.userInfoURL == nil)
    #expect(metadata.scopes == ["openid", "read"])
  }

  @Test func otherIssuerIsRefused() async throws {
    let harness = VirtualHarness.scripted()
    let path = "/.well-known/openid-configuration"
    harness.session.script(.get, path, .json(Self.json))
    harness.session.script(.get, path, .json(#"{"issuer": "https://server.example.com"}"#))
    let request = RequestDataForOAuth2Metadata(issuer: try url("https://server.example.com"))
    let errors = await [0, 1].asyncMap { _ -> WebServiceError? in
      do throws(WebServiceError) {
        _ = try await harness.service.sendRequest(request, as: OAuth2Metadata.self)
        return nil
      } catch { return error }
    }
    #expect(errors.map { $0?.kind } == [.invalidResponse, .undecodableBody])
    #expect(
      errors.first??.underlying(as: RequestDataForOAuth2Metadata.WrongIssuer.self)?.issuer
        == "https://server.example.com/a")
    #expect(errors.last??.codingPath == ["token_endpoint"])
  }

  @Test(arguments: ["https", "http"])
  func secureIssuerNamesSecureEndpoints(scheme: String) async throws {
    for endpoint in ["server.example.com/authorize", "server.example.com/revoke", "server.example.com/jwks.json"] {
      let harness = VirtualHarness.scripted()
      let json = Self.json.replacingOccurrences(of: "https://\(endpoint)", with: "http://\(endpoint)")
        .replacingOccurrences(of: "https://server.example.com/a\"", with: "\(scheme)://server.example.com/a\"")
      harness.session.script(.get, "/a/.well-known/openid-configuration", .json(json))
      let request = RequestDataForOAuth2Metadata(issuer: try url("\(scheme)://server.example.com/a"))
      do throws(WebServiceError) {
        _ = try await harness.service.sendRequest(request, as: OAuth2Metadata.self)
        #expect(scheme == "http")
      } catch {
        #expect(scheme == "https" && error.kind == .invalidResponse && "\(error)".contains("http://\(endpoint)"))
      }
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async -> Value) async -> [Value] {
    var values: [Value] = []
    for element in self { values.append(await transform(element)) }
    return values
  }
}
