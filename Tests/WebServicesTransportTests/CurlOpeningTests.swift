#if os(Linux)
  import Testing
  import WebServices
  @testable import WebServicesTransport

  @Suite struct CurlOpeningTests {
    private final class Item {}

    private let items = (0..<5).map { _ in Item() }

    @Test func onlyOneOpensAtATime() {
      var opening = CurlOpening<Item>()
      #expect(opening.isFree)
      let isFirst = opening.isOpening(items[0])
      #expect(isFirst)
      #expect(!opening.isFree)
      opening.hold(items[1])
      opening.hold(items[2])
      let goesOn = opening.sent(items[0])
      #expect(goesOn)
      #expect(opening.isFree)
      let held = opening.takeHeld()
      #expect(held.map { ObjectIdentifier($0) } == items[1...2].map { ObjectIdentifier($0) })
      #expect(opening.takenHeldIsEmpty)
    }

    @Test func connectionWithoutRoomForASecondRequestIsSerial() {
      var opening = CurlOpening<Item>()
      _ = opening.isOpening(items[0])
      _ = opening.sent(items[0])
      let isHeldUp = opening.isOpening(items[1])
      #expect(!isHeldUp)
      #expect(opening.isSerial)
      #expect(opening.isFree)
      // The response shows which version the host really speaks.
      _ = opening.ended(items[0], wasSent: true, version: 2)
      #expect(!opening.isSerial)
    }

    @Test func fullConnectionsHaveTheNextOneOpened() {
      var opening = CurlOpening<Item>()
      _ = opening.isOpening(items[0])
      for item in items[0...2] { _ = opening.sent(item) }
      let isNext = opening.isOpening(items[3])
      #expect(isNext)
      #expect(!opening.isFree)
      opening.hold(items[4])
      let goesOn = opening.ended(items[3], wasSent: false, version: 0)
      #expect(goesOn)
      #expect(opening.isFree)
    }

    @Test func newConnectionTakesAsManyAsTheOneBeforeUntilItsResponseBegins() {
      var opening = CurlOpening<Item>()
      _ = opening.isOpening(items[0])
      for item in items[0...1] { _ = opening.sent(item) }
      _ = opening.isOpening(items[2])
      _ = opening.sent(items[2])
      #expect(opening.isFree)
      _ = opening.sent(items[3])
      #expect(!opening.isFree)
      opening.hold(items[4])
      let goesOn = opening.settled(items[2])
      #expect(goesOn)
      #expect(opening.isFree)
    }

    @Test func nobodyWaitsForLong() {
      var opening = CurlOpening<Item>()
      _ = opening.isOpening(items[0])
      opening.hold(items[1])
      let goesOn = opening.tookTooLong(items[0])
      #expect(goesOn)
      #expect(opening.isFree)
      let isHeldUp = opening.isOpening(items[1])
      #expect(!isHeldUp)
      // Once a request is sent, the next requests wait again.
      _ = opening.sent(items[1])
      #expect(!opening.isHung)
    }

    @Test func versionOneIsRemembered() {
      var opening = CurlOpening<Item>()
      _ = opening.sent(items[0])
      _ = opening.ended(items[0], wasSent: true, version: 1)
      #expect(opening.isSerial)
    }
  }

  extension CurlOpening {
    fileprivate var takenHeldIsEmpty: Bool {
      var copy = self
      return copy.takeHeld().isEmpty
    }
  }
#endif
