#if os(Linux)
  @testable import WebServicesTestSupport
  @testable import WebServicesTransport

  struct CurlOriginTests {
    private final class Item {}

    private func origin(limit: Int = 100, offersHTTP2: Bool = true) -> CurlOrigin<Item> {
      CurlOrigin(name: "https://h.example", limit: limit, offersHTTP2: offersHTTP2)
    }

    @Test func sharedConnectionsHaveALimitOfTheirOwn() {
      let origin = origin(limit: 1)
      let items = (0..<3).map { _ in Item() }
      expectEqual(items.map(origin.admit), [true, false, false])
      origin.responseBegan(items[0], version: 2)
      #expect(origin.next() === items[1])
      #expect(origin.next() === items[2])
      while origin.admit(Item()) {}
      expectEqual(origin.wait, .stream(origin: "https://h.example", limit: CurlOrigin<Item>.streams))
    }

    @Test func transfersWaitForTheOpener() {
      let origin = origin()
      let items = (0..<20).map { _ in Item() }
      #expect(origin.admit(items[0]))
      #expect(origin.beginOpening(items[0]))
      expectEqual(items.dropFirst().map(origin.admit), Array(repeating: false, count: 19))
      expectEqual(origin.wait, .connecting)
      origin.requestSent(items[0])
      var joined = 0
      while let item = origin.next() {
        joined += 1
        origin.requestSent(item)
      }
      expectEqual(joined, CurlOrigin<Item>.earlyStreams)
      origin.responseBegan(items[0], version: 2)
      #expect(origin.next() != nil)
    }

    @Test(arguments: ["http1", "another connection", "hung", "slow response", "failed"])
    func waitForTheOpenerEnds(_ reason: String) {
      let origin = origin()
      let (opener, joiner, waiting) = (Item(), Item(), Item())
      #expect(origin.admit(opener))
      #expect(origin.beginOpening(opener))
      #expect(!origin.admit(waiting))
      switch reason {
      case "http1": origin.responseBegan(opener, version: 1)
      case "another connection":
        origin.requestSent(opener)
        #expect(!origin.beginOpening(joiner))
      case "hung": origin.openingTookTooLong(opener, isConnected: false)
      case "slow response": origin.openingTookTooLong(opener, isConnected: true)
      default: origin.release(opener)
      }
      #expect(origin.next() === waiting)
      let opensItsOwn = ["http1", "another connection", "hung"].contains(reason)
      expectEqual(origin.isShared, (opensItsOwn ? false : nil))
      expectEqual(origin.beginOpening(waiting), !opensItsOwn)
      // A later response shows the version that the host really speaks.
      origin.responseBegan(waiting, version: 2)
      expectEqual(origin.isShared, true)
    }

    @Test func everyQueuedTransferIsStarted() {
      var generator = Chance(seed: 7)
      let origin = origin(limit: 3, offersHTTP2: false)
      var (running, waiting, started) = ([Item](), [Item](), 0)
      for _ in 0..<20_000 {
        if Bool.random(using: &generator) {
          let item = Item()
          if origin.admit(item) {
            // A new transfer passes none that waits.
            #expect(waiting.isEmpty)
            running.append(item)
          } else {
            waiting.append(item)
          }
        } else if Bool.random(using: &generator), let index = running.indices.randomElement(using: &generator) {
          origin.release(running.remove(at: index))
        } else if let index = waiting.indices.randomElement(using: &generator) {
          origin.release(waiting.remove(at: index))
        }
        // A turn of the loop may bring several changes before it starts the next transfers.
        guard Bool.random(using: &generator) else { continue }
        while let item = origin.next() {
          #expect(waiting.removeFirst() === item)
          running.append(item)
          started += 1
        }
        #expect(running.count <= 3 && (running.count == 3 || waiting.isEmpty))
      }
      #expect(started > 100)
    }
  }
#endif
