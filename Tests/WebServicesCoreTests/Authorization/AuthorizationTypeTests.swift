import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct AuthorizationTypeTests {
  private struct SigningFailure: Error {}

  private let token = AccessToken(value: "mF_9.B5f-4.1JqM", generation: 3)

  private func request() throws -> TransportRequest {
    TransportRequest(
      method: .put, url: try #require(URL(string: "https://api.example.com/a?b=c")), headers: ["Accept": "text/plain"],
      body: .data(Data("content".utf8)))
  }

  private func lines(_ type: WebServiceAuthorizationType, token: AccessToken?) throws -> [String] {
    try type.credentials(for: try request(), token: token).map { "\($0.name): \($0.value)" }
  }

  @Test func schemesMatchExamplesOfRFCs() throws {
    expectEqual(try lines(.none, token: nil), [])
    expectEqual(try lines(.apiToken, token: token), ["api-token: mF_9.B5f-4.1JqM"])
    expectEqual(try lines(.header(named: "X-Key"), token: token), ["X-Key: mF_9.B5f-4.1JqM"])
    expectEqual(try lines(.bearer, token: token), ["Authorization: Bearer mF_9.B5f-4.1JqM"])
    expectEqual(try lines(.bearer("mF_9"), token: nil), ["Authorization: Bearer mF_9"])
    let fixed = WebServiceAuthorizationType.bearer("mF_9")
    #expect(fixed != .bearer("mF_8") && fixed != .bearer && fixed.description == "bearer")
    expectEqual(
      try lines(.header(named: "Authorization", prefix: "Token "), token: token),
      ["Authorization: Token mF_9.B5f-4.1JqM"])
    expectEqual(
      try lines(.basic(user: "Aladdin", password: "open sesame"), token: nil),
      ["Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    expectEqual(
      try lines(.basic(user: "test", password: "123\u{A3}"), token: nil), ["Authorization: Basic dGVzdDoxMjPCow=="])
    expectEqual(try lines(.basic(user: "u", password: "a:b"), token: nil), ["Authorization: Basic dTphOmI="])
  }

  private func signer(
    named name: String = "own", needsToken: Bool = false, _ headers: HTTPHeaders = ["X-Signature": "s"]
  ) -> WebServiceAuthorizationType { .custom(RequestSigner(named: name, needsToken: needsToken) { _, _ in headers }) }

  @Test func missingAndUnsendableCredentialsAreRefused() {
    for type in [.apiToken, .header(named: "X"), .bearer, signer(needsToken: true)] {
      #expect(type.needsToken)
      #expect(throws: TokenError.notSignedIn) { try lines(type, token: nil) }
    }
    #expect(throws: TokenError.colonInUser) { try lines(.basic(user: "a:b", password: "c"), token: nil) }
    #expect(throws: TokenError.notSendable(name: "X-B")) {
      try lines(signer(["X-A": "1", "X-B": "1\r\nX-C: 2"]), token: nil)
    }
    #expect(throws: TokenError.notSendable(name: "X Y")) { try lines(.header(named: "X Y"), token: token) }
    #expect(throws: TokenError.notSendable(name: "Authorization")) {
      try lines(.bearer, token: AccessToken(value: "a\nb"))
    }
  }

  @Test func signerGetsFinishedRequestAndToken() throws {
    let signer = RequestSigner(named: "own", needsToken: true) { request, token in
      guard case .data(let body) = request.body else { throw SigningFailure() }
      let parts = [request.method.rawValue, request.url.absoluteString, request.headers["accept"] ?? ""]
      return ["X-Signed": parts.joined(separator: " "), "X-Length": "\(body.count)", "X-Key": token?.value ?? "none"]
    }
    expectEqual(
      try lines(.custom(signer), token: token),
      ["X-Signed: PUT https://api.example.com/a?b=c text/plain", "X-Length: 7", "X-Key: mF_9.B5f-4.1JqM"])
    expectEqual(WebServiceAuthorizationType.custom(signer).signer, signer)
    expectEqual(WebServiceAuthorizationType.bearer.signer, nil)
  }

  @Test func typesAreComparedBySignerName() {
    let types: Set<WebServiceAuthorizationType> = [
      signer(named: "one"), signer(named: "one", ["B": "2"]), signer(named: "two"),
      signer(named: "one", needsToken: true), .bearer, .none,
    ]
    expectEqual(types.count, 5)
    #expect(!signer().needsToken)
  }

  private func secrets(_ type: WebServiceAuthorizationType) throws -> [String] {
    type.secrets(in: try type.credentials(for: try request(), token: token), of: try request())
  }

  @Test func fieldValuesAreSecrets() throws {
    let type = signer([
      "Authorization": #"Digest response="6629fae4", opaque=5ccc069c, qop=auth, uri="/a?b=c""#,
      "X-Signature": "c2lnbg==", "X-Signed-Path": "/a?b=c",
    ])
    let secrets = try self.secrets(type)
    for secret in ["6629fae4", "5ccc069c", "c2lnbg=="] { #expect(secrets.contains(secret)) }
    #expect(secrets.contains { $0.hasPrefix("Digest response") })
    // Words and the request's own URL aren't secrets, because errors would be unreadable without them.
    #expect(!secrets.contains("auth") && !secrets.contains("/a?b=c"))
    let prefixed = WebServiceAuthorizationType.header(named: "X-Key", prefix: "Token ")
    expectEqual(try self.secrets(prefixed), ["Token mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"])
    let basic = WebServiceAuthorizationType.basic(user: "Aladdin", password: "open sesame")
    expectEqual(
      Set(try self.secrets(basic)),
      ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "open sesame"])
    expectEqual(try self.secrets(.none), [])
  }
}
