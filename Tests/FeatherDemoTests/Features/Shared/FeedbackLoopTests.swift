import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@MainActor
@Suite struct FeedbackLoopTests {
  /// Counts how often the effect was started. Each effect waits until the test calls `open()`.
  private final class Effects: Sendable {
    private let state = Watched((begun: 0, isOpen: false))

    func run() async -> Int {
      let number = state.withLock { state in
        state.begun += 1
        return state.begun
      }
      await state.wait { $0.isOpen }
      return number
    }

    func waitUntilBegun(_ count: Int) async { await state.wait { $0.begun >= count } }
    func open() { state.withLock { $0.isOpen = true } }
    var begun: Int { state.withLock { $0.begun } }
  }

  private let effects = Effects()

  /// A loop over numbers. Its effect runs while the number is below 10.
  private func loop(initial: Int) -> FeedbackLoop<Int, Int> {
    FeedbackLoop(
      initial: initial, reduce: { $1 == 0 ? $0 : $1 },
      feedbacks: [Feedback(predicate: { $0 < 10 }) { [effects] _ in 100 + (await effects.run()) }])
  }

  @Test func initialStateCanStartAnEffect() async {
    let loop = loop(initial: 1)
    var states = loop.states.makeAsyncIterator()
    #expect(await states.next() == 1)
    effects.open()
    #expect(await states.next() == 101)
    #expect(effects.begun == 1)
    #expect(loop.state == 101)
  }

  @Test func effectStartsOnceWhileItsPredicateHolds() async {
    let loop = loop(initial: 1)
    await effects.waitUntilBegun(1)
    loop.send(2)
    loop.send(3)
    effects.open()
    var states = loop.states.makeAsyncIterator()
    for expected in [1, 2, 3, 101] { #expect(await states.next() == expected) }
    #expect(loop.state == 101)
    #expect(effects.begun == 1)
  }

  @Test func effectOfAnAbandonedStateIsDropped() async {
    let loop = loop(initial: 1)
    await effects.waitUntilBegun(1)
    loop.send(50)
    loop.send(2)
    await effects.waitUntilBegun(2)
    effects.open()
    var states = loop.states.makeAsyncIterator()
    for expected in [1, 50, 2, 102] { #expect(await states.next() == expected) }
    #expect(loop.state == 102)
  }

  @Test func releasedLoopFinishesItsStateStream() async {
    var loop: FeedbackLoop<Int, Int>? = loop(initial: 20)
    let states = loop?.states
    loop = nil
    var seen: [Int] = []
    if let states { for await state in states { seen.append(state) } }
    #expect(seen == [20])
  }
}
