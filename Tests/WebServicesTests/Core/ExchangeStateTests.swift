import Foundation
import Testing

@testable import WebServices

@Suite("The state of an exchange")
struct ExchangeStateTests {
  private struct Task: URLSessionTaskProtocol {}

  private let told = Collector<Void>()

  private func state(_ stage: ExchangeState.Stage) -> ExchangeState {
    ExchangeState(stage: stage, completion: Exchanges.Completion { [told] _ in told.append(()) })
  }

  @Test("A caller who leaves before it has set out is told, and it doesn't set out")
  func leavingEarly() {
    var state = state(.preparing)
    guard case .tell(let completion?) = state.cancel() else { return #expect(Bool(false), "nobody is told") }
    completion.run(.cancelledInQueue)
    #expect(told.elements.count == 1)
    guard case .tell(nil) = state.cancel() else { return #expect(Bool(false), "it is told twice") }
    let setsOut = state.setOut(plan: nil)
    #expect(!setsOut)
  }

  @Test("What is cancelled in a queue is concluded, holds nothing any more, and is concluded once")
  func leavingQueue() {
    var state = state(.underWay)
    let permit = CircuitBreaker.Permit(period: 7)
    var isHeld = state.hold(ExchangeState.Passage(permit: permit, time: 3), nil)
    #expect(isHeld)
    guard case .conclude = state.cancel() else { return #expect(Bool(false), "it goes on") }
    isHeld = state.hold(ExchangeState.Passage(time: 4), Task())
    #expect(!isHeld)
    let conclusion = state.conclude()
    #expect(conclusion?.passage.permit == permit)
    #expect(conclusion?.passage.time == 3)
    #expect(conclusion?.task == nil)
    #expect(conclusion?.end.completion != nil)
    let isConcludedTwice = state.conclude() != nil
    #expect(!isConcludedTwice)
  }

  @Test("What was sent is ended by its task, which tells the end")
  func leavingNetwork() {
    var state = state(.underWay)
    let isHeld = state.hold(ExchangeState.Passage(time: 1), Task())
    #expect(isHeld)
    guard case .end = state.cancel() else { return #expect(Bool(false), "the task isn't asked") }
    let conclusion = state.conclude()
    #expect(conclusion?.task != nil)
    #expect(conclusion?.end.completion != nil)
  }

  @Test("A caller who leaves when the answer is there keeps the cache from sending once more")
  func leavingLate() {
    var state = state(.preparing)
    _ = state.setOut(plan: nil)
    _ = state.conclude()
    guard case .tell(nil) = state.cancel() else { return #expect(Bool(false), "the end is told twice") }
    let goesOn = state.goOn(with: Task())
    #expect(!goesOn)
  }

  @Test("The request that a cache sends once more is ended with the first")
  func leavingTheSecond() {
    var state = state(.preparing)
    _ = state.setOut(plan: nil)
    _ = state.conclude()
    let goesOn = state.goOn(with: Task())
    #expect(goesOn)
    guard case .end = state.cancel() else { return #expect(Bool(false), "the second isn't ended") }
  }
}
