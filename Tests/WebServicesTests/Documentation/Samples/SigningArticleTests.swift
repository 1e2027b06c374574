import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on digests and signatures.
@Suite struct SigningArticleTests {
  // sample: digestRequest

  // sample: awsSigner

  private func signature(
    _ method: HTTPMethod, _ path: String, _ body: TransportBody = .none, service: String = "service"
  ) throws -> String? {
    let signer = AWSSigner(
      accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
      service: service, now: { Date(timeIntervalSince1970: 1_440_938_160) })
    let url = try #require(URL(string: "https://example.amazonaws.com\(path)"))
    let fields = try signer.signer.sign(TransportRequest(method: method, url: url, body: body), token: nil)
    #expect(fields["X-Amz-Date"] == "20150830T123600Z")
    return fields["Authorization"]
  }

  @Test func signaturesAreThoseOfAWS() throws {
    let head =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
      + "SignedHeaders=host;x-amz-date, Signature="
    #expect(
      try signature(.get, "/") == head + "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    #expect(
      try signature(.get, "/?Param2=value2&Param1=value1")
        == head + "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
    // The names decide before the values: `-` comes before `=`.
    #expect(
      try signature(.get, "/?a-b=1&a=3&a=2&c")
        == head + "9d91ccac0bb9cfb98c732cf7f6d52d0bbf0028019002bcfe41e75ecbe3a8909c")
    #expect(
      try signature(.post, "/") == head + "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b")
    let body = TransportBody.data(Data(#"{"a":1}"#.utf8))
    #expect(
      try signature(.post, "/things", body)
        == head + "d097d6e970c906dbd798f5c80737a364dc94844d65c6d0b2ecbf3dc692a2204e")
    #expect(
      try signature(.post, "/things", body, service: "s3")?.hasSuffix(
        "Signature=4842c31a41e0bc311d635516bc979ffd23a83d674551b116eb3ee17f4cdd5876") == true)
  }

  @Test func signersGetHostAndHashOfAnyBody() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("abc".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let url = try #require(URL(string: "https://API.example.com:443/a"))
    let stream = PieceStream(["a", "bc"])
    for body in [TransportBody.data(Data("abc".utf8)), .file(file), .stream(stream)] {
      let request = TransportRequest(url: url, body: body)
      #expect(try request.bodySHA256() == RequestSigner.sha256("abc".utf8))
      #expect(request.hostField == "api.example.com")
    }
    #expect(try TransportRequest(url: url).bodySHA256() == RequestSigner.sha256([]))
    let once = TransportRequest(url: url, body: .stream(PieceStream([], isReplayable: false)))
    #expect(throws: (any Error).self) { try once.bodySHA256() }
    let named = TransportRequest(
      url: try #require(URL(string: "http://127.0.0.1:8080/")), headers: ["host": "a.example.com"])
    #expect(named.hostField == "a.example.com")
  }

  @Test func digestIsMadeWhenTheServerAsksForIt() async throws {
    let password = "open sesame"
    // sample: digest
    let session = MockURLSession()
    session.script(
      .get, "/status",
      .status(401, headers: ["WWW-Authenticate": #"Digest realm="a", nonce="n", qop="auth""#]))
    session.script(.get, "/status", .status(204))
    let service = JsonWebService(
      session: session, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com")))
    try await service.sendRequest(request, parser: .nothing)
    #expect(session.requests.count == 2)
  }
}
