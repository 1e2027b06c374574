import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesTokens

@Suite struct DigestServiceTests {
  private let credentials = DigestCredentials(user: "Mufasa", password: "Circle of Life") { "client" }
  private let path = "/dir/index.html"
  private static let city = MockResponse.json(#"{"name": "Bath"}"#)

  private static func refusal(_ nonce: String, isStale: Bool = false, algorithm: String = "MD5") -> MockResponse {
    let stale = isStale ? ", stale=true" : ""
    let challenge = #"Digest realm="test", qop="auth", algorithm=\#(algorithm), nonce="\#(nonce)"\#(stale)"#
    return .response(status: 401, headers: ["WWW-Authenticate": challenge])
  }

  private func request(_ host: String = "api.example.com", body: RequestBody? = nil) -> TestRequest {
    TestRequest(path: "https://\(host)\(path)", body: body, authorization: .digest(credentials))
  }

  /// The nonce and the count of each request; `nil` for a request without credentials.
  private func sent(_ bench: Bench) -> [String?] {
    bench.session.requests.map { request in
      request.value(forHTTPHeaderField: "Authorization").map { field in
        let fields = HTTPHeaders([.init(name: "a", value: field)]).challenges(in: "a").first?.parameters
        return "\(fields?["nonce"] ?? "") \(fields?["nc"] ?? "")"
      }
    }
  }

  @Test func firstRequestLearnsChallengeAndLaterOnesAreCounted() async {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one"))
    bench.session.script(.get, path, Self.city)
    for _ in 0..<3 { #expect(await bench.result(of: request()).model == City(name: "Bath")) }
    #expect(sent(bench) == [nil, "one 00000001", "one 00000002", "one 00000003"])
    bench.expectNothingLeft()
  }

  @Test(arguments: [true, false])
  func oldNonceIsReplacedByTheNextOne(isStale: Bool) async {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one"))
    bench.session.script(.get, path, Self.city)
    bench.session.script(.get, path, Self.refusal("two", isStale: isStale))
    bench.session.script(.get, path, Self.city)
    for _ in 0..<2 { #expect(await bench.result(of: request()).model == City(name: "Bath")) }
    #expect(sent(bench) == [nil, "one 00000001", "one 00000002", "two 00000001"])
  }

  @Test func wrongPasswordIsThe401AndShowsNoSecret() async throws {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one"))
    let error = try #require(await bench.result(of: request()).error)
    #expect(error.kind == .statusCode(401))
    #expect(sent(bench) == [nil, "one 00000001"])
    // The nonce is known now: one request is enough to hear that the password is wrong.
    #expect(await bench.result(of: request()).error?.kind == .statusCode(401))
    #expect(sent(bench) == [nil, "one 00000001", "one 00000002"])
    let field = try #require(bench.session.requests.last?.value(forHTTPHeaderField: "Authorization"))
    let digest = try #require(field.components(separatedBy: "response=\"").last?.prefix(32))
    var dumped = "\(error) \(credentials) \(WebServiceAuthorizationType.digest(credentials))"
    dump(credentials, to: &dumped)
    #expect(!dumped.contains("Circle") && !dumped.contains(digest))
    #expect("\(error)".contains("https://api.example.com/dir/index.html"))
    bench.expectNothingLeft()
  }

  @Test func challengeThatCannotBeMetIsTheResponse() async {
    for answer in [
      MockResponse.response(status: 401), .response(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"a\""]),
      Self.refusal("one", algorithm: "SHA-512-256"),
    ] {
      let bench = Bench()
      bench.session.script(.get, path, answer)
      #expect(await bench.result(of: request()).error?.kind == .statusCode(401))
      #expect(sent(bench) == [nil])
      bench.expectNothingLeft()
    }
  }

  @Test func nonceThatWouldEndItsLineIsNotSent() async {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one\u{1}two"))
    let error = await bench.result(of: request()).error
    #expect(error?.kind == .token || error?.kind == .statusCode(401))
    #expect(sent(bench).count == 1)
    bench.expectNothingLeft()
  }

  @Test func eachOriginHasItsOwnChallenge() async {
    let bench = Bench()
    for nonce in ["one", "two"] {
      bench.session.script(.get, path, Self.refusal(nonce))
      bench.session.script(.get, path, Self.city)
    }
    #expect(await bench.result(of: request()).model == City(name: "Bath"))
    #expect(await bench.result(of: request("other.example.com")).model == City(name: "Bath"))
    #expect(sent(bench) == [nil, "one 00000001", nil, "two 00000001"])
    let next = Bench()
    next.session.script(.get, path, .response(status: 302, headers: ["Location": "https://evil.example.com/b"]))
    next.session.script(.get, "/b", Self.refusal("three"))
    #expect(await next.result(of: request()).error?.kind == .statusCode(401))
    #expect(sent(next) == ["one 00000002", nil])
    next.expectNothingLeft()
  }

  @Test func redirectWithinTheOriginIsSignedForItsPath() async throws {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one"))
    bench.session.script(.get, path, .response(status: 302, headers: ["Location": "/c?d=e%2Ff"]))
    bench.session.script(.get, "/c", Self.city)
    #expect(await bench.result(of: request()).model == City(name: "Bath"))
    #expect(sent(bench) == [nil, "one 00000001", "one 00000002"])
    let field = try #require(bench.session.requests.last?.value(forHTTPHeaderField: "Authorization"))
    #expect(field.contains(#"uri="/c?d=e%2Ff""#))
  }

  @Test func bodyThatCanBeReadOnceIsNotSentAgain() async {
    let bench = Bench()
    bench.session.script(.get, path, Self.refusal("one"))
    let body = RequestBody.stream(PieceStream(["a"], isReplayable: false), contentType: "text/plain")
    #expect(await bench.result(of: request(body: body)).error?.kind == .statusCode(401))
    #expect(bench.session.requests.count == 1)
    // The challenge wasn't read: the next request asks for it again.
    bench.session.script(.get, path, Self.city)
    #expect(await bench.result(of: request()).model == City(name: "Bath"))
  }

  @Test func credentialsOfTwoUsersAreNeverEqual() {
    let other = DigestCredentials(user: "Mufasa", password: "Circle of Life")
    #expect(other != credentials && credentials == credentials)
    #expect(WebServiceAuthorizationType.digest(other) != .digest(credentials))
    #expect(!WebServiceAuthorizationType.digest(credentials).needsToken)
  }

  @Test(arguments: TransportKind.allCases)
  func digestIsForThePathThatTheServerSees(kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/cities/:name") { request in
      guard let field = request.headers["Authorization"] else {
        return .status(
          401, headers: ["WWW-Authenticate": #"Digest realm="a", nonce="n", algorithm=SHA-256, qop="auth""#])
      }
      return field.contains("uri=\"\(request.target)\"") ? .json(#"{"name": "Bath"}"#) : .status(400)
    }
    let request = TestRequest(
      path: "cities/a b%2Fc", queryItems: [URLQueryItem(name: "q", value: "\u{E4} +")],
      authorization: .digest(credentials))
    #expect(try await stage.service.sendRequest(request, as: City.self) == City(name: "Bath"))
    #expect(stage.server.requests.count == 2)
    await stage.expectNothingLeft()
  }
}
