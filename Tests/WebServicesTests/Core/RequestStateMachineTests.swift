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

  @Test("A refused token is replaced once; a second refusal leads to nothing more than the first")
  func unauthorized() {
    var machine = machine(after: 4)
    #expect(machine.handle(.unauthorized(exchange: 0)) == .nothing)
    #expect(machine.handle(.unauthorized(exchange: 1)) == .reauthorize)
    #expect(machine.state == .reauthorizing && machine.isWaiting && machine.isAuthorizing)
    #expect(machine.phase == .authorize)
    #expect(machine.handle(.unauthorized(exchange: 1)) == .nothing)
    #expect(machine.handle(.authorized) == .send(exchange: 2))
    #expect(machine.attempt == 2 && machine.hasReauthorized)
    #expect(machine.handle(.authorized) == .nothing)
    #expect(machine.handle(.unauthorized(exchange: 2)) == .nothing)
    #expect(machine.handle(.accepted(exchange: 2)) == .read)
  }

  @Test("Where no other token can be had, the 401 is the answer, or the reason is")
  func noOtherToken() {
    var answered = machine(after: 4)
    _ = answered.handle(.unauthorized(exchange: 1))
    #expect(answered.handle(.accepted(exchange: 2)) == .nothing)
    #expect(answered.handle(.accepted(exchange: 1)) == .read)
    #expect(answered.handle(.authorized) == .nothing)
    var refused = machine(after: 4)
    _ = refused.handle(.unauthorized(exchange: 1))
    #expect(refused.handle(.refused(exchange: 1)) == .nothing)
    #expect(refused.handle(.refused(exchange: nil)) == .fail)
    #expect(refused.handle(.authorized) == .nothing)
  }

  @Test("The 401 that a token was replaced for counts no more once the request is on its way again")
  func lateAnswerOfTokenManager() {
    var machine = machine(after: 4)
    _ = machine.handle(.unauthorized(exchange: 1))
    _ = machine.handle(.authorized)
    #expect(machine.handle(.accepted(exchange: 1)) == .nothing)
    #expect(machine.handle(.refused(exchange: nil)) == .nothing)
    #expect(machine.state == .sending)
  }

  @Test("A failed attempt waits, and passes the stations from the network on once more")
  func pause() {
    var machine = machine(after: 4)
    #expect(machine.handle(.failed(exchange: 2)) == .nothing)
    #expect(machine.handle(.failed(exchange: 1)) == .pause)
    #expect(machine.phase == .admit && !machine.isWaiting)
    #expect(machine.handle(.accepted(exchange: 1)) == .nothing)
    #expect(machine.handle(.resumed) == .admit)
    #expect(machine.handle(.admitted) == .authorize)
    #expect(machine.handle(.authorized) == .send(exchange: 2))
    #expect(machine.attempt == 2)
    #expect(machine.handle(.resumed) == .nothing)
  }

  @Test("An interruption ends a request while it waits for a token or for its next attempt")
  func interruptionWhileWaiting() {
    for event in [Machine.Event.unauthorized(exchange: 1), .failed(exchange: 1)] {
      var machine = machine(after: 4)
      _ = machine.handle(event)
      #expect(machine.handle(.interrupted(.timedOut)) == .abandon(.timedOut))
      #expect(machine.interruption == .timedOut)
      #expect(machine.handle(.authorized) == .nothing)
      #expect(machine.handle(.resumed) == .nothing)
      #expect(machine.handle(.accepted(exchange: 1)) == .nothing)
      #expect(machine.handle(.delivering) == .complete)
    }
  }

  @Test("Whatever happens in whatever order, the completion runs at most once")
  func anyOrder() {
    let events: [Machine.Event] = [
      .started, .described, .admitted, .authorized, .accepted(exchange: 1), .redirected(exchange: 1),
      .refused(exchange: 1), .refused(exchange: nil), .interrupted(.cancelled), .interrupted(.timedOut), .delivering,
      .unauthorized(exchange: 1), .unauthorized(exchange: 2), .failed(exchange: 1), .failed(exchange: 2), .resumed,
      .accepted(exchange: 2), .refused(exchange: 2), .redirected(exchange: 2),
    ]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var machine = Machine()
      var completions = 0
      var deliveries = 0
      var replacements = 0
      for _ in 0..<40 {
        guard let event = events.randomElement(using: &generator) else { continue }
        switch machine.handle(event) {
        case .read, .fail, .abandon: deliveries += 1
        case .complete, .completeInterrupted: completions += 1
        case .reauthorize: replacements += 1
        default: break
        }
      }
      #expect(deliveries <= 1)
      #expect(completions <= deliveries)
      #expect(replacements <= 1)
    }
  }
}
