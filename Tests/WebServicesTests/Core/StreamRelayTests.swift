import Foundation
import Testing
import WebServicesTesting

@testable import WebServices

@Suite("Between a transport and a reader")
struct StreamRelayTests {
  private let response = WebServiceResponse(statusCode: 200, url: URL(fileURLWithPath: "/"))
  private let relay = StreamRelay()
  private let signals = Collector<String>()
  private let proceeds = Collector<String>()

  /// The next signal is noted by name when it comes.
  private func read() {
    relay.next { [signals] signal in
      switch signal {
      case .head(let head): signals.append("head \(head.statusCode)")
      case .piece(let data): signals.append(String(decoding: data, as: UTF8.self))
      case .end(.success): signals.append("end")
      case .end(.failure(let error)): signals.append("\(error.kind)")
      }
    }
  }

  private func send(_ piece: String) {
    relay.receive(Data(piece.utf8)) { [proceeds] in proceeds.append(piece) }
  }

  @Test("What comes before the reader waits for it, and keeps its order")
  func order() {
    relay.receive(head: response)
    send("a")
    send("b")
    relay.end(.success(response))
    for _ in 0..<5 { read() }
    #expect(signals.elements == ["head 200", "a", "b", "end", "end"])
  }

  @Test("What comes after the reader is handed on at once, to one call of it each")
  func readerFirst() {
    read()
    #expect(signals.elements.isEmpty)
    relay.receive(head: response)
    send("a")
    #expect(signals.elements == ["head 200"])
    read()
    #expect(signals.elements == ["head 200", "a"])
  }

  @Test(
    "The transport goes on when the reader comes back, whether the piece came before it or after", arguments: [0, 1])
  func backPressure(readerFirst: Int) {
    for _ in 0..<readerFirst { read() }
    send("a")
    if readerFirst == 0 { read() }
    #expect(signals.elements == ["a"])
    #expect(proceeds.elements.isEmpty)
    send("b")
    #expect(proceeds.elements.isEmpty)
    read()
    #expect(proceeds.elements == ["a"])
    #expect(signals.elements == ["a", "b"])
    read()
    #expect(proceeds.elements == ["a", "b"])
    read()
    #expect(proceeds.elements == ["a", "b"])
  }

  @Test("A failure drops what the reader hasn't taken, and nothing comes after it")
  func failure() {
    relay.receive(head: response)
    send("a")
    relay.end(.failure(WebServiceError(.cancelled)))
    relay.receive(head: response)
    send("b")
    read()
    read()
    #expect(signals.elements == ["cancelled", "cancelled"])
    #expect(proceeds.elements.isEmpty)
  }

  @Test("After a success the reader still gets what came, unless it is dropped")
  func drop() {
    send("a")
    send("b")
    relay.end(.success(response))
    read()
    relay.drop()
    read()
    #expect(signals.elements == ["a", "end"])
    #expect(proceeds.elements.isEmpty)
  }

  @Test("Pieces of a transport's thread arrive whole and in order at a reader of another")
  func threads() async {
    let relay = relay
    let ended = Collector<[Int]>()
    let taken = Locked<[Int]>([])
    @Sendable func readOn() {
      relay.next { signal in
        // On a queue of its own, as the engine does: the relay's caller runs nothing of the reader's.
        DispatchQueue.global().async {
          switch signal {
          case .piece(let data):
            taken.withLock { $0.append(Int(String(decoding: data, as: UTF8.self)) ?? -1) }
            readOn()
          case .end: ended.append(taken.withLock { $0 })
          case .head: readOn()
          }
        }
      }
    }
    readOn()
    let response = response
    Thread.detachNewThread {
      let semaphore = DispatchSemaphore(value: 0)
      for index in 0..<2_000 {
        relay.receive(Data("\(index)".utf8)) { semaphore.signal() }
        semaphore.wait()
      }
      relay.end(.success(response))
    }
    await ended.waitForElements(1)
    #expect(ended.elements == [Array(0..<2_000)])
  }
}
