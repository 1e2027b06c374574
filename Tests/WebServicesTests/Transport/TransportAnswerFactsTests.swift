import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The facts of the list that concern results rather than hangs, crashes and security.
@Suite(.timeLimit(.minutes(1)))
struct TransportAnswerFactsTests {
  @Test(
    "fact 16: a body without a type is called none; GET can have a body", arguments: TransportKind.own)
  func bodies(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(nil, "/", .text("ok"))
    for method in [HTTPMethod.get, .post, .put, .patch, .delete, HTTPMethod(rawValue: "QUERY")] {
      let request = TransportRequest(
        method: method, url: bench.server.url("/"), body: .data(Data("abc".utf8)))
      #expect(await bench.send(request).text == "ok")
    }
    #expect(
      bench.server.requests.map(\.method.rawValue) == ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"])
    #expect(bench.server.requests.allSatisfy { $0.text == "abc" })
    #expect(
      bench.server.requests.allSatisfy { $0.headers["Content-Type"] == nil && $0.headers["Expect"] == nil })
  }

  @Test("fact 17: IPv6 literals and upper-case schemes", arguments: TransportKind.own)
  func addresses(_ kind: TransportKind) async throws {
    let bench = try TransportBench(session: kind.makeSession(), address: .ipv6)
    bench.server.route(nil, "/", .text("ok"))
    for text in ["http://[::1]:\(bench.server.port)/", "HTTP://[::1]:\(bench.server.port)/"] {
      let url = try #require(URL(string: text))
      #expect(await bench.send(TransportRequest(url: url)).text == "ok")
    }
  }

  @Test("fact 18: answers that bend the standard are taken", arguments: LoopbackServer.Oddity.allCases)
  func oddities(_ oddity: LoopbackServer.Oddity) async throws {
    for kind in TransportKind.own {
      let bench = try TransportBench(kind)
      let result = await bench.get(answer: .odd(oddity))
      #expect(result.response?.statusCode == 200)
      #expect(result.text == "ok")
    }
  }

  @Test("fact 18: headers that repeat are kept apart and in order", arguments: TransportKind.own)
  func repeatedHeaders(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    let cookies = ["a=1", "b=2", "c=3"]
    let headers = HTTPHeaders(
      zip(["Set-Cookie", "set-cookie", "SET-COOKIE"], cookies).map { .init(name: $0, value: $1) })
    let response = try #require(await bench.get(answer: .text("ok", headers: headers)).response)
    #expect(response.headers.values(for: "Set-Cookie") == cookies)
    let latin = try #require(await bench.get(answer: .odd(.latin1InField)).response)
    #expect(latin.headers["X-Name"] == "J\u{FC}rgen")
  }

  @Test("fact 19: a decoded body has no headers of the encoded one", arguments: TransportKind.own)
  func encodings(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    let data = Data(String(repeating: "feather ", count: 2000).utf8)
    for answer in [LoopbackServer.Answer.gzip(data), .deflate(data)] {
      let response = try #require(await bench.get(answer: answer).response)
      #expect(response.body == data)
      #expect(response.headers["Content-Encoding"] == nil)
      #expect(response.headers["Content-Length"] == nil)
    }
    #expect(bench.server.requests.first?.headers["Accept-Encoding"]?.contains("gzip") == true)
  }

  @Test("fact 19: who names the encodings decodes", arguments: TransportKind.own)
  func ownEncodings(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    let data = Data(String(repeating: "feather ", count: 2000).utf8)
    let response = try #require(
      await bench.get(answer: .gzip(data)) { $0.headers["Accept-Encoding"] = "gzip" }.response)
    #expect(response.headers["Content-Encoding"] == "gzip")
    #expect(response.body != data)
    #expect(response.headers["Content-Length"] == String(response.body.count))
  }

  @Test(
    "fact 20: errors are told apart, and malformed answers never succeed",
    arguments: LoopbackServer.Malformation.allCases)
  func malformations(_ malformation: LoopbackServer.Malformation) async throws {
    for kind in TransportKind.own {
      let bench = try TransportBench(kind)
      let result = await bench.get(answer: .malformed(malformation)) { $0.timeouts.whole = 5 }
      guard let expected = malformation.expectedKinds else { continue }
      let error = result.error
      #expect(error.map { expected.contains($0.kind) } == true, "\(result)")
      #expect(error?.mayHaveReachedServer == true)
      #expect(bench.server.requestCount == 1)
    }
  }

  @Test("fact 23: every request reaches the server", arguments: TransportKind.own)
  func caching(_ kind: TransportKind) async throws {
    let bench = try TransportBench(kind)
    bench.server.route(.get, "/", .text("ok", headers: ["Cache-Control": "max-age=600"]))
    for _ in 0..<3 { #expect(await bench.get("/").text == "ok") }
    #expect(bench.server.requestCount == 3)
    #expect(bench.server.connectionsAccepted == 1)
  }
}

extension LoopbackServer.Malformation {
  /// What a transport may call it; `nil` where it may let it pass, because the answer can be made sense of.
  var expectedKinds: Set<TransportError.Kind>? {
    switch self {
    case .garbage, .tlsAlert, .statusNotANumber, .statusTooShort: [.notHTTPResponse, .badFraming]
    case .unknownVersion: [.notHTTPResponse, .badFraming, .other]
    case .nothing, .headCutOff: [.connectionLost]
    case .fieldWithoutColon, .fieldWithoutName, .nulInField, .lengthsThatDiffer, .lengthNotANumber:
      [.badFraming]
    case .lengthNegative, .lengthTooLarge: [.badFraming, .tooLarge]
    case .trailerWithoutColon: nil
    case .bodyCutOff, .chunkCutOff, .lastChunkMissing, .trailersCutOff: [.truncated]
    case .chunkSizeNotHexadecimal, .chunkSizeTooLarge, .chunkWithoutEnd: [.badFraming]
    }
  }
}
