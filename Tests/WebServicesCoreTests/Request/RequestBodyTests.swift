@testable import WebServicesTestSupport

@Suite struct RequestBodyTests {
  private func request(
    _ body: RequestBody, headers: HTTPHeaders = [:], configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws(WebServiceError) -> TransportRequest {
    var configuration = WebServiceConfiguration()
    configure(&configuration)
    let data = TestRequest(method: .post, headers: headers, body: body)
    return try RequestRun(data, accept: "*/*", engine: JsonWebService(configuration: configuration).engine).describe()
  }

  private func data(_ body: TransportBody) throws -> Data {
    switch body {
    case .none: Data()
    case .data(let data): data
    case .file(let url): try Data(contentsOf: url)
    case .stream(let stream): try stream.content()
    }
  }

  private func text(_ body: RequestBody) throws -> String {
    String(decoding: try data(request(body).body), as: UTF8.self)
  }

  private func refusal(_ body: RequestBody) -> WebServiceError? {
    Result { try request(body) }.failure as? WebServiceError
  }

  @Test func eachBodyKindHasTypeAndReplayability() throws {
    let url = URL(fileURLWithPath: "/a/Photo.JPEG")
    let once = PieceStream(count: 1, length: 1, isReplayable: false)
    let bodies: [(RequestBody, String, Bool)] = [
      (.json(1), "application/json", true), (["a": 1], "application/json", true), ([1, "b"], "application/json", true),
      (.data(Data(), contentType: "a/b"), "a/b", true), (.text("ü"), "text/plain; charset=utf-8", true),
      (.form([URLQueryItem(name: "a", value: "b")]), "application/x-www-form-urlencoded", true),
      (.form(["a": 1]), "application/x-www-form-urlencoded", true), (.file(url), "image/jpeg", true),
      (.file(url, contentType: "a/b"), "a/b", true),
      (.file(URL(fileURLWithPath: "/a/b")), "application/octet-stream", true),
      (.file(URL(fileURLWithPath: "/a/b.unheard")), "application/octet-stream", true),
      (.stream(once, contentType: "a/b"), "a/b", false),
      (.multipart(MultipartBody([.stream("s", once)], boundary: "b")), "multipart/form-data; boundary=b", false),
      (.multipart(MultipartBody([.field("a", "b")], boundary: "b b")), #"multipart/form-data; boundary="b b""#, true),
    ]
    for (body, type, isReplayable) in bodies {
      expectEqual(body.contentType, type)
      expectEqual(body.isReplayable, isReplayable)
      #expect(body.compressed().contentType == type && body.compressed().isReplayable == isReplayable)
    }
  }

  @Test func requestsContentTypeOverridesTheBodys() throws {
    let headers = try request(.text("x"), headers: ["content-type": "text/x"]).headers
    expectEqual(headers.values(for: "Content-Type"), ["text/x"])
    expectEqual(try request(.text("x")).headers["Content-Encoding"], nil)
  }

  @Test func formUsesItsOwnOrTheConfiguredEncoder() throws {
    let items = [URLQueryItem(name: "a b", value: "1+2"), URLQueryItem(name: "flag", value: nil)]
    expectEqual(try text(.form(items)), "a+b=1%2B2&flag=")
    expectEqual(try text(.form(["a": true], encoder: QueryEncoder(booleans: .numeric))), "a=1")
    expectEqual(try text(.form(["a": ["b": [1, 2]]])), "a%5Bb%5D=1&a%5Bb%5D=2")
    let body = try request(.form(["a": [1, 2]])) { $0.queryEncoder.arrays = .commas }.body
    expectEqual(try data(body), Data("a=1%2C2".utf8))
  }

  @Test func encodingErrorHidesTheValue() throws {
    let failure = try #require(refusal(.form(["a": Double.nan])))
    expectEqual(failure.kind, .invalidRequest)
    expectEqual(failure.message, "the body can't be encoded, at a")
    #expect(failure.underlying is EncodingError)
    let literals: [(RequestBody, String)] = [
      (["a": 1, "b": ["c": Double.nan] as JSONLiteral], "b.c"), ([["a": Double.nan] as JSONLiteral], "Index 0.a"),
    ]
    for (literal, place) in literals {
      expectEqual(refusal(literal)?.message, "the body can't be encoded, at \(place)")
    }
    let joined = refusal(.form(["a": ["1,5"]], encoder: QueryEncoder(arrays: .commas)))
    expectEqual(
      joined?.message, "the body can't be encoded: an element of a contains a comma and would become two")
    let negative = refusal(.stream(PieceStream(count: 1, length: -1), contentType: "a/b"))
    expectEqual((negative?.underlying as? RequestBodyError)?.reason, .wrongLength)
    #expect((refusal(.json(Double.nan))?.underlying as? EncodingError) != nil)
  }
}
