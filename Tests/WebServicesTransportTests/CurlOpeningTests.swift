#if os(Linux)
  import Testing
  import WebServices
  @testable import WebServicesTransport

  @Suite struct CurlOpeningTests {
    private final class Item {}

    private let items = (0..<5).map { _ in Item() }

    @Test func onlyOneConnectionOpensAtATime() {
      var opening = CurlOpening<Item>()
      #expect(opening.isFree)
      let isFirst = opening.startedOpening(items[0])
      #expect(isFirst)
      #expect(!opening.isFree)
      opening.hold(items[1])
      opening.hold(items[2])
      let goesOn = opening.requestSent(items[0])
      #expect(goesOn)
      #expect(opening.isFree)
      let held = opening.removeHeld()
      #expect(held.map { ObjectIdentifier($0) } == items[1...2].map { ObjectIdentifier($0) })
      #expect(opening.takenHeldIsEmpty)
    }

    @Test func connectionWithoutRoomForASecondRequestIsSerial() {
      var opening = CurlOpening<Item>()
      _ = opening.startedOpening(items[0])
      _ = opening.requestSent(items[0])
      let isHeldUp = opening.startedOpening(items[1])
      #expect(!isHeldUp)
      #expect(opening.isSerial)
      #expect(opening.isFree)
      // The response shows which version the host really speaks.
      _ = opening.transferEnded(items[0], wasSent: true, version: 2)
      #expect(!opening.isSerial)
    }

    @Test func requestOpensAnotherConnectionWhenAllAreFull() {
      var opening = CurlOpening<Item>()
      _ = opening.startedOpening(items[0])
      for item in items[0...2] { _ = opening.requestSent(item) }
      let isNext = opening.startedOpening(items[3])
      #expect(isNext)
      #expect(!opening.isFree)
      opening.hold(items[4])
      let goesOn = opening.transferEnded(items[3], wasSent: false, version: 0)
      #expect(goesOn)
      #expect(opening.isFree)
    }

    @Test func newConnectionTakesAsManyRequestsAsThePreviousOne() {
      var opening = CurlOpening<Item>()
      _ = opening.startedOpening(items[0])
      for item in items[0...1] { _ = opening.requestSent(item) }
      _ = opening.startedOpening(items[2])
      _ = opening.requestSent(items[2])
      #expect(opening.isFree)
      _ = opening.requestSent(items[3])
      #expect(!opening.isFree)
      opening.hold(items[4])
      let goesOn = opening.responseBegan(items[2])
      #expect(goesOn)
      #expect(opening.isFree)
    }

    @Test func heldRequestsAreFreedWhenOpeningTakesTooLong() {
      var opening = CurlOpening<Item>()
      _ = opening.startedOpening(items[0])
      opening.hold(items[1])
      let goesOn = opening.tookTooLong(items[0])
      #expect(goesOn)
      #expect(opening.isFree)
      let isHeldUp = opening.startedOpening(items[1])
      #expect(!isHeldUp)
      // Once a request is sent, the next requests wait again.
      _ = opening.requestSent(items[1])
      #expect(!opening.isHung)
    }

    @Test func http1ResponseMakesTheOriginSerial() {
      var opening = CurlOpening<Item>()
      _ = opening.requestSent(items[0])
      _ = opening.transferEnded(items[0], wasSent: true, version: 1)
      #expect(opening.isSerial)
    }
  }

  extension CurlOpening {
    fileprivate var takenHeldIsEmpty: Bool {
      var copy = self
      return copy.removeHeld().isEmpty
    }
  }
#endif
