@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct StreamedBodyTests {
  private let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"))
  private let body = StreamedBody()
  private let signals = Collector<String>()
  private let proceeds = Collector<String>()

  /// Reads the next part, and records its name when it arrives.
  private func read() {
    body.next { [signals] signal in
      switch signal {
      case .head(let head): signals.append("head \(head.statusCode)")
      case .piece(let data): signals.append(String(decoding: data, as: UTF8.self))
      case .end(.success): signals.append("end")
      case .end(.failure(let error)): signals.append("\(error.kind)")
      }
    }
  }

  private func send(_ piece: String) {
    body.receive(Data(piece.utf8), transfer: 1) { [proceeds] in proceeds.append(piece) }
  }

  @Test func partsKeepTheirOrder() {
    body.begin(response, transfer: 1) { _ in }
    send("a")
    send("b")
    body.end(.success(response))
    for _ in 0..<5 { read() }
    expectEqual(signals.elements, ["head 200", "a", "b", "end", "end"])
  }

  @Test(arguments: [0, 1])
  func transportContinuesOnceTheReaderReads(readerFirst: Int) {
    for _ in 0..<readerFirst { read() }
    send("a")
    if readerFirst == 0 { read() }
    send("b")
    #expect(signals.elements == ["a"] && proceeds.elements.isEmpty)
    read()
    #expect(signals.elements == ["a", "b"] && proceeds.elements == ["a"])
    for _ in 0..<2 {
      read()
      expectEqual(proceeds.elements, ["a", "b"])
    }
  }

  @Test func failureDropsUnreadParts() {
    body.begin(response, transfer: 1) { _ in }
    send("a")
    body.end(.failure(WebServiceError(.cancelled)))
    body.begin(response, transfer: 1) { _ in }
    send("b")
    read()
    read()
    expectEqual(signals.elements, ["cancelled", "cancelled"])
    #expect(proceeds.elements.isEmpty)
  }
}
