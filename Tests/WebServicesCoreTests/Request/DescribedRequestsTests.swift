import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// Compares described requests with those that a server receives.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct DescribedRequestsTests {
  private struct Described: WebServiceRequestData {
    var path: String
    var method = HTTPMethod.get
    var headers = HTTPHeaders()
    var queryItems: [URLQueryItem] = []
    var query: (any Encodable & Sendable)?
    var body: RequestBody?
  }

  private func harness(
    _ kind: TransportKind, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws -> SocketHarness {
    let harness = try SocketHarness(kind, configure: configure)
    harness.server.route(nil, "/*", .json("1"))
    return harness
  }

  private static let awkward = [
    "a+b", "a&b=c", "a;b", "a b", "ü漢😀", "%41%", "#?/\\", "\"<>[]{}|^`", "\r\n\0\t", "+%2B",
  ]

  @Test(arguments: TransportKind.own)
  func queryItemsReachTheServerUnchanged(kind: TransportKind) async throws {
    let harness = try harness(kind) { $0.queryItems = [URLQueryItem(name: "c", value: "0")] }
    for text in Self.awkward {
      let request = Described(
        path: "p?x=%20y", queryItems: [URLQueryItem(name: text, value: text)], query: [text: ["n": [text]]])
      let received = try await harness.received(request)
      #expect(
        received.queryItems == [
          URLQueryItem(name: "x", value: " y"), URLQueryItem(name: "c", value: "0"),
          URLQueryItem(name: text, value: text), URLQueryItem(name: "\(text)[n]", value: text),
        ])
    }
  }

  @Test(
    arguments: TransportKind.own)
  func pathParametersStayInTheirSegment(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.get, "/users/:name/posts", .json("1"))
    for text in Self.awkward {
      let received = try await harness.received(Described(path: "users/\(segment: text)/posts"))
      #expect(received.parameters["name"] == text)
    }
    let escaped = try await harness.received(Described(path: "a%20b/ü c/%2F%41?q=%2B&r=a+b"))
    #expect(escaped.target == "/a%20b/%C3%BC%20c/%2F%41?q=%2B&r=a+b")
  }

  @Test func unencodableQuerySendsNothing() async throws {
    let harness = VirtualHarness.scripted()
    let path = "https://api.example.com/p"
    do throws(WebServiceError) {
      _ = try await harness.service.sendRequest(Described(path: path, query: ["secret": Double.nan]), as: Int.self)
      Issue.record("it was sent")
    } catch {
      #expect(error.kind == .invalidRequest && error.phase == .describe)
      #expect(error.message == "the query can't be encoded, at secret")
      #expect(error.underlying is EncodingError)
    }
    #expect(harness.session.requests.isEmpty)
  }

  @Test(arguments: TransportKind.own)
  func filesAndStreamsAreSentWithType(kind: TransportKind) async throws {
    let harness = try harness(kind)
    let file = try TemporaryFile(MadeStream.bytes(from: 0, to: 2_000_000), name: "a.json")
    defer { file.remove() }
    let received = try await harness.received(Described(path: "p", method: .put, body: .file(file.url)))
    #expect(received.headers["Content-Type"] == "application/json")
    #expect(received.headers.contentLength == 2_000_000)
    #expect(try received.body == Data(contentsOf: file.url))
    let stream = RequestBody.stream(MadeStream(count: 1_000_000, length: nil), contentType: "a/b")
    let streamed = try await harness.received(Described(path: "p", method: .put, body: stream))
    #expect(streamed.headers["Content-Type"] == "a/b")
    #expect(streamed.body == MadeStream.bytes(from: 0, to: 1_000_000))
    #expect(try await harness.received(Described(path: "p", method: .post, body: .text("ü"))).text == "ü")
  }

  @Test(arguments: TransportKind.own)
  func changedFileFailsTheRequest(kind: TransportKind) async throws {
    let harness = try harness(kind)
    let file = try TemporaryFile(Data(count: 1_000_000))
    defer { file.remove() }
    let change = PieceStream(["x"], length: 1) { _ in try Data(count: 5).write(to: file.url) }
    let body = MultipartBody([.stream("change", change), .file("f", file.url)])
    do throws(WebServiceError) {
      _ = try await harness.service.sendRequest(
        Described(path: "p", method: .post, body: .multipart(body)), as: Int.self)
      Issue.record("it was sent")
    } catch {
      let transport = error.underlying as? TransportError
      #expect(transport?.kind == .file)
      #expect((transport?.underlying as? RequestBodyError)?.reason == .changedFile)
    }
  }

  @Test(
    arguments: TransportKind.own)
  func bodiesStayWithTheOriginUnlessThePolicySaysOtherwise(kind: TransportKind) async throws {
    for allows in [false, true] {
      let harness = try harness(kind) { $0.redirects = RedirectPolicy(sendsBodyToOtherOrigins: allows) }
      let other = try LoopbackServer.forTest()
      harness.server.route(.post, "/old", .redirect(to: other.url("/new").absoluteString, status: 307))
      other.route(.post, "/new", .json("1"))
      for body: RequestBody in [.json(["a": "b"]), .multipart(MultipartBody([.field("name", "Bath")])).compressed()] {
        let request = Described(path: "old", method: .post, body: body)
        do {
          #expect(try await harness.service.sendRequest(request, as: Int.self) == 1)
          #expect(allows)
        } catch {
          #expect(!allows)
          #expect(error.underlying(as: RedirectPolicy.Refusal.self)?.reason == .bodyToOtherOrigin)
          #expect(error.message.contains("sendsBodyToOtherOrigins"))
        }
      }
      #expect(other.requestCount == (allows ? 2 : 0))
    }
  }
}

extension SocketHarness {
  /// Sends a request, and returns it as the server received it.
  fileprivate func received(_ request: some WebServiceRequestData) async throws -> LoopbackServer.Request {
    #expect(try await service.sendRequest(request, as: Int.self) == 1)
    return try #require(server.requests.last)
  }
}
