#if os(Linux)
  import Foundation
  import Testing
  import WebServices
  @testable import WebServicesTestSupport
  @testable import WebServicesTransport

  private final class Item: CurlAdmissionItem {
    let name: Int
    var origin: CurlAdmission<Item>.Origin?
    var place: Int?

    init(_ name: Int = 0) {
      self.name = name
    }
  }

  struct CurlAdmissionTests {
    @Test func connectionLimitsAreKept() {
      var admission = CurlAdmission<Item>(limitPerOrigin: 2, limit: 3)
      let items = (0..<8).map { Item($0) }
      let first = items[0..<4].map { admission.admit($0, to: "a") }
      let second = items[4..<8].map { admission.admit($0, to: "b") }
      #expect(first == [true, true, false, false])
      #expect(second == [true, false, false, false])
      let next1 = admission.next()
      #expect(next1 == nil)
      admission.release(items[0])
      let next2 = admission.next()
      #expect(next2?.name == 2)
      let next3 = admission.next()
      #expect(next3 == nil)
      admission.release(items[1])
      let next4 = admission.next()
      #expect(next4?.name == 5)
      let next5 = admission.next()
      #expect(next5 == nil)
      #expect(admission.running == 3)
      items.forEach { admission.release($0) }
      #expect(admission.running == 0)
    }

    @Test func releasedWaitingRequestIsSkipped() {
      var admission = CurlAdmission<Item>(limitPerOrigin: 1, limit: 1)
      let items = (0..<4).map { Item($0) }
      items.forEach { _ = admission.admit($0, to: "a") }
      admission.release(items[1])
      admission.release(items[0])
      let next6 = admission.next()
      #expect(next6?.name == 2)
      admission.release(items[3])
      admission.release(items[2])
      let next7 = admission.next()
      #expect(next7 == nil)
      #expect(admission.running == 0)
      let isFree = admission.admit(Item(), to: "a")
      #expect(isFree)
    }

    @Test func multiplexedTransfersDoNotCountTowardsTheLimit() {
      var admission = CurlAdmission<Item>(limitPerOrigin: 1, limit: 1)
      let items = (0..<3).map { Item($0) }
      let admitted = items.map { admission.admit($0, to: "a") }
      #expect(admitted == [true, false, false])
      admission.multiplex(items[0])
      let next8 = admission.next()
      #expect(next8?.name == 1)
      let next9 = admission.next()
      #expect(next9?.name == 2)
      #expect(admission.running == 0)
      let isFree = admission.admit(Item(), to: "b")
      #expect(isFree)
      items.forEach { admission.release($0) }
      #expect(admission.running == 1)
    }

    @Test func everyQueuedTransferIsStarted() {
      var generator = SeededGenerator(seed: 7)
      var admission = CurlAdmission<Item>(limitPerOrigin: 3, limit: 7)
      var live: [Item] = []
      var started = 0
      for name in 0..<20_000 {
        if Bool.random(using: &generator) {
          let item = Item(name)
          if admission.admit(item, to: "\(name % 5)") { started += 1 }
          live.append(item)
        } else if let index = live.indices.randomElement(using: &generator) {
          admission.release(live.remove(at: index))
        }
        while admission.next() != nil { started += 1 }
        #expect(admission.running == live.filter { $0.place == nil }.count)
      }
      while let item = live.popLast() {
        admission.release(item)
        while admission.next() != nil { started += 1 }
      }
      #expect(admission.running == 0)
      #expect(started > 1000)
    }
  }
#endif
