@testable import WebServicesTestSupport
@testable import WebServicesHTTP

struct InlineCompletionTests {
  private let queue = DispatchQueue(label: "spare")
  private let key = DispatchSpecificKey<Int>()

  @Test func offeredWorkRunsWherePerformed() {
    queue.setSpecific(key: key, value: 7)
    let seen = Locked<[Int?]>([])
    let work = InlineCompletion.capturedWork {
      InlineCompletion.run(on: queue) { [key] in seen.withLock { $0.append(DispatchQueue.getSpecific(key: key)) } }
      #expect(seen.withLock { $0 }.isEmpty)
    }
    #expect(work?.queue === queue)
    let thread = ObjectIdentifier(Thread.current)
    let isHere = Locked(false)
    let other = InlineCompletion.Work(queue: queue) {
      isHere.withLock { $0 = ObjectIdentifier(Thread.current) == thread }
    }
    work?.perform()
    other.perform()
    expectEqual(seen.withLock { $0 }, [7])
    #expect(isHere.withLock { $0 })
  }

  @Test func onlyTheFirstWorkIsOffered() async {
    let tally = Collector<Void>()
    let work = InlineCompletion.capturedWork {
      InlineCompletion.run(on: queue) { tally.add() }
      InlineCompletion.run(on: queue) { tally.add() }
    }
    await tally.waitForElements(1)
    expectEqual(tally.count, 1)
    work?.dispatch()
    await tally.waitForElements(2)
  }
}
