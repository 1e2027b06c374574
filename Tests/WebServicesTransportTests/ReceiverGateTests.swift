@testable import WebServicesTestSupport
@testable import WebServicesTransport

struct ReceiverGateTests {
  private final class Receiver: TransportRequest.Receiver {
    let pieces = Locked<[(text: String, proceed: @Sendable () -> Void)]>([])

    func didReceive(head: WebServiceResponse) {}

    func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
      pieces.withLock { $0.append((String(decoding: piece, as: UTF8.self), proceed)) }
    }

    var texts: [String] { pieces.withLock { $0.map(\.text) } }

    func proceed(after index: Int) { pieces.withLock { $0[index].proceed }() }
  }

  @Test func secondProceedForAPieceDeliversNothing() {
    let receiver = Receiver()
    let gate = ReceiverGate(receiver)
    for text in ["a", "b"] { gate.add(Data(text.utf8)) }
    expectEqual(receiver.texts, ["a"])
    receiver.proceed(after: 0)
    gate.add(Data("c".utf8))
    receiver.proceed(after: 0)
    expectEqual(receiver.texts, ["a", "b"])
    let wakes = Collector<Void>()
    #expect(!gate.isIdle { wakes.add() })
    receiver.proceed(after: 1)
    expectEqual(receiver.texts, ["a", "b", "c"])
    expectEqual(wakes.elements.count, 0)
    receiver.proceed(after: 2)
    expectEqual(wakes.elements.count, 1)
    #expect(gate.isIdle {})
    gate.add(Data("d".utf8))
    #expect(!gate.isIdle { wakes.add() })
    gate.close()
    receiver.proceed(after: 3)
    expectEqual(wakes.elements.count, 1)
  }
}
