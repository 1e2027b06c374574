@testable import WebServicesTestSupport

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
    expectEqual(fields["X-Amz-Date"], "20150830T123600Z")
    return fields["Authorization"]
  }

  @Test func signaturesAreThoseOfAWS() throws {
    let head =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
      + "SignedHeaders=host;x-amz-date, Signature="
    let body = TransportBody.data(Data(#"{"a":1}"#.utf8))
    let signatures: [(HTTPMethod, String, TransportBody, String)] = [
      (.get, "/", .none, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
      (
        .get, "/?Param2=value2&Param1=value1", .none,
        "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
      ),
      // The names decide before the values: `-` comes before `=`.
      (.get, "/?a-b=1&a=3&a=2&c", .none, "9d91ccac0bb9cfb98c732cf7f6d52d0bbf0028019002bcfe41e75ecbe3a8909c"),
      (.post, "/", .none, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
      (.post, "/things", body, "d097d6e970c906dbd798f5c80737a364dc94844d65c6d0b2ecbf3dc692a2204e"),
    ]
    for (method, path, body, expected) in signatures {
      expectEqual(try signature(method, path, body), head + expected)
    }
    // A service that also signs the body's hash.
    expectEqual(
      try signature(.post, "/things", body, service: "s3")?.components(separatedBy: "Signature=").last,
      "4842c31a41e0bc311d635516bc979ffd23a83d674551b116eb3ee17f4cdd5876")
  }

  @Test func signersGetHostAndHashOfAnyBody() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("abc".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let url = try #require(URL(string: "https://API.example.com:443/a"))
    let stream = PieceStream(["a", "bc"])
    for body in [TransportBody.data(Data("abc".utf8)), .file(file), .stream(stream)] {
      let request = TransportRequest(url: url, body: body)
      expectEqual(try request.bodySHA256(), RequestSigner.sha256("abc".utf8))
      expectEqual(request.hostField, "api.example.com")
    }
    expectEqual(try TransportRequest(url: url).bodySHA256(), RequestSigner.sha256([]))
    let once = TransportRequest(url: url, body: .stream(PieceStream([], isReplayable: false)))
    #expect(throws: (any Error).self) { try once.bodySHA256() }
    let named = TransportRequest(
      url: try #require(URL(string: "http://127.0.0.1:8080/")), headers: ["host": "a.example.com"])
    expectEqual(named.hostField, "a.example.com")
  }

  @Test func digestIsMadeWhenTheServerAsksForIt() async throws {
    let password = "open sesame"
    // sample: digest
    let session = MockURLSession([
      "GET /status": .unauthorized(#"Digest realm="a", nonce="n", qop="auth""#), "GET /status": .status(204),
    ])
    try await JsonWebService(over: session).sendRequest(request, parser: .nothing)
    expectEqual(session.requests.count, 2)
  }
}
