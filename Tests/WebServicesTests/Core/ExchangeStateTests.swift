import Foundation
import Testing

@testable import WebServices

@Suite("The state of an exchange")
struct ExchangeStateTests {
  private struct Task: URLSessionTaskProtocol {}

  private let told = Collector<Void>()

  private func state(_ stage: ExchangeState.Stage) -> ExchangeState {
    ExchangeState(stage: stage) { [told] _ in told.append(()) }
  }

  @Test("A caller who leaves before it has set out is told, and it doesn't set out")
  func leavingEarly() {
    var state = state(.preparing)
    guard case .tell(let completion?) = state.cancel() else { return #expect(Bool(false), "nobody is told") }
    completion(.cancelledInQueue)
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
    var conclusion = ExchangeState.Conclusion()
    let isFirst = state.conclude(&conclusion)
    #expect(isFirst)
    #expect(conclusion.passage.permit == permit)
    #expect(conclusion.passage.time == 3)
    #expect(!conclusion.wasSent)
    #expect(conclusion.completion != nil)
    var second = ExchangeState.Conclusion()
    let isSecond = state.conclude(&second)
    #expect(!isSecond)
    #expect(second.completion == nil)
  }

  @Test("What was sent is ended by its task, which tells the end")
  func leavingNetwork() {
    var state = state(.underWay)
    let isHeld = state.hold(ExchangeState.Passage(time: 1), Task())
    #expect(isHeld)
    guard case .end = state.cancel() else { return #expect(Bool(false), "the task isn't asked") }
    var conclusion = ExchangeState.Conclusion()
    let isFirst = state.conclude(&conclusion)
    #expect(isFirst)
    #expect(conclusion.wasSent)
    #expect(conclusion.completion != nil)
  }

  @Test("A caller who leaves when the answer is there keeps the cache from sending once more")
  func leavingLate() {
    var state = state(.preparing)
    _ = state.setOut(plan: nil)
    var conclusion = ExchangeState.Conclusion()
    _ = state.conclude(&conclusion)
    guard case .tell(nil) = state.cancel() else { return #expect(Bool(false), "the end is told twice") }
    let goesOn = state.goOn(with: Task())
    #expect(!goesOn)
  }

  @Test("The request that a cache sends once more is ended with the first")
  func leavingTheSecond() {
    var state = state(.preparing)
    _ = state.setOut(plan: nil)
    var conclusion = ExchangeState.Conclusion()
    _ = state.conclude(&conclusion)
    let goesOn = state.goOn(with: Task())
    #expect(goesOn)
    guard case .end = state.cancel() else { return #expect(Bool(false), "the second isn't ended") }
  }
}
