import Testing

@testable import WebServices

@Suite("What comes next for a request")
struct RequestStateMachineTests {
  typealias Machine = RequestStateMachine

  /// The events that bring a request to each state, in the order of the stations.
  private static let way: [Machine.Event] = [
    .started, .described, .admitted, .authorized, .accepted(exchange: 1), .delivering,
  ]

  private func machine(after count: Int) -> Machine {
    var machine = Machine()
    for event in Self.way.prefix(count) { _ = machine.handle(event) }
    return machine
  }

  @Test("The stations come in their order")
  func order() {
    var machine = Machine()
    let actions = Self.way.map { machine.handle($0) }
    #expect(actions == [.describe, .admit, .authorize, .send(exchange: 1), .read, .complete])
    #expect(machine.state == .finished)
  }

  @Test("An interruption ends a request at any station, and the second one does nothing", arguments: 0...4)
  func interruption(station: Int) {
    var machine = machine(after: station)
    #expect(machine.handle(.interrupted(.cancelled)) == .abandon(.cancelled))
    #expect(machine.handle(.interrupted(.timedOut)) == .nothing)
    #expect(machine.handle(.delivering) == .complete)
    #expect(machine.handle(.delivering) == .nothing)
  }

  @Test("An interruption while the body is read takes the place of the model")
  func interruptionWhileReading() {
    var machine = machine(after: 5)
    #expect(machine.handle(.interrupted(.invalidated)) == .nothing)
    #expect(machine.handle(.delivering) == .completeInterrupted(.invalidated))
    #expect(machine.handle(.delivering) == .nothing)
  }

  @Test("An answer of another attempt, or a second answer, leads to nothing")
  func lateAnswers() {
    var machine = machine(after: 4)
    #expect(machine.handle(.accepted(exchange: 0)) == .nothing)
    #expect(machine.handle(.refused(exchange: 2)) == .nothing)
    #expect(machine.handle(.accepted(exchange: 1)) == .read)
    #expect(machine.handle(.accepted(exchange: 1)) == .nothing)
    #expect(machine.handle(.refused(exchange: 1)) == .nothing)
  }

  @Test("A redirect is sent as the next exchange of the same attempt, and the answer to the former counts no more")
  func redirect() {
    var machine = machine(after: 4)
    #expect(machine.handle(.redirected(exchange: 1)) == .send(exchange: 2))
    #expect(machine.attempt == 1)
    #expect(machine.handle(.redirected(exchange: 1)) == .nothing)
    #expect(machine.handle(.accepted(exchange: 1)) == .nothing)
    #expect(machine.handle(.accepted(exchange: 2)) == .read)
    #expect(machine.handle(.redirected(exchange: 2)) == .nothing)
  }

  @Test("A station's refusal ends the request", arguments: 1...3)
  func refusal(station: Int) {
    var machine = machine(after: station)
    #expect(machine.handle(.refused(exchange: nil)) == .fail)
    #expect(machine.handle(.refused(exchange: nil)) == .nothing)
    #expect(machine.handle(.described) == .nothing)
    #expect(machine.handle(.authorized) == .nothing)
  }

  @Test("Whatever happens in whatever order, the completion runs at most once")
  func anyOrder() {
    let events: [Machine.Event] = [
      .started, .described, .admitted, .authorized, .accepted(exchange: 1), .redirected(exchange: 1),
      .refused(exchange: 1), .refused(exchange: nil), .interrupted(.cancelled), .interrupted(.timedOut), .delivering,
    ]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var machine = Machine()
      var completions = 0
      var deliveries = 0
      for _ in 0..<24 {
        guard let event = events.randomElement(using: &generator) else { continue }
        switch machine.handle(event) {
        case .read, .fail, .abandon: deliveries += 1
        case .complete, .completeInterrupted: completions += 1
        default: break
        }
      }
      #expect(deliveries <= 1)
      #expect(completions <= deliveries)
    }
  }
}
