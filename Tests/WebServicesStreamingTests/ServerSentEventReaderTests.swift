@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct ServerSentEventReaderTests {
  private func event(_ data: String, _ event: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(event: event, data: data, id: id)
  }

  private func expect(
    _ text: String, _ events: [ServerSentEvent], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for end in ["\n", "\r\n", "\r"] {
      let lines = text.replacingOccurrences(of: "\n", with: end)
      expectElements(.serverSentEvents, lines.utf8, events, sourceLocation: sourceLocation)
    }
  }

  @Test func examplesOfTheStandardAndOddFieldsAreParsed() {
    let cases: [(text: String, events: [ServerSentEvent])] = [
      (
        "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
          + "data: This is the third message.\n\n",
        [
          event("This is the first message."), event("This is the second message, it\nhas two lines."),
          event("This is the third message."),
        ]
      ),
      (
        "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
        [event("73857293", "add"), event("2153", "remove"), event("113411", "add")]
      ),
      ("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
      (
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        [event("first event", id: "1"), event("second event"), event(" third event")]
      ),
      // The last block isn't followed by a blank line, so it isn't an event.
      ("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]), ("data: a\ndata\n\n", [event("a\n")]),
      ("data: a", []), ("data: a\n", []), ("id: 1\nevent: x\n", []),
      ("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
      // Unknown fields and comments are skipped, and so is a byte order mark at the beginning.
      (":\n: c\nDATA: a\ndatax: b\ndat: c\n data: d\nfoo\ndata: e:f \n\n:data: g\n\n", [event("e:f ")]),
      (
        "event: a\nevent: b\ndata: 1\n\nevent: c\n\ndata: 2\n\nevent:\ndata: 3\n\n",
        [event("1", "b"), event("2"), event("3")]
      ),
      ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
    ]
    for (text, events) in cases { expect(text, events) }
  }

  @Test func lastIDIsKept() throws {
    expect(
      "id: 1\ndata: a\n\ndata: b\n\nid: x\u{0}y\nid: \u{1}\nid: x\u{7F}\ndata: c\n\nid: 2\n\ndata: d\n\nid:\ndata: e\n\n",
      [event("a", id: "1"), event("b", id: "1"), event("c", id: "1"), event("d", id: "2"), event("e")])
    let reader = Locked(ServerSentEventReader())
    let parser = StreamFormat.serverSentEvents { reader }.makeDecoder(FeatherJSONDecoder())
    parser.append(Data("id: 7\n\ndata: a\n\nid: 8\n".utf8))
    expectEqual(try parser.next(false), event("a", id: "7"))
    expectEqual(try parser.next(false), nil)
    #expect(reader.withLock { $0.lastEventID } == "7", "an id counts from the blank line on")
    parser.append(Data("\n".utf8))
    expectEqual(try parser.next(false), nil)
    expectEqual(reader.withLock { $0.lastEventID }, "8")
  }

  @Test func idThatIsTooLongForAHeaderFieldIsIgnored() throws {
    let longest = String(repeating: "a", count: 4096)
    let reader = Locked(ServerSentEventReader())
    let parser = StreamFormat.serverSentEvents { reader }.makeDecoder(FeatherJSONDecoder())
    parser.append(Data("id: \(longest)\ndata: a\n\nid: \(longest)b\ndata: b\n\n".utf8))
    expectEqual(try parser.next(false)?.id, longest)
    expectEqual(try parser.next(false)?.id, longest)
    expectEqual(reader.withLock { $0.lastEventID }, longest)
  }

  @Test func largeEventKeepsNoMemory() throws {
    var reader = ServerSentEventReader()
    for line in ["data:" + String(repeating: "a", count: 1 << 17), ""] {
      _ = try Array(line.utf8).withUnsafeBufferPointer { try reader.read($0) }
    }
    let data = Mirror(reflecting: reader).children.first { $0.label == "data" }?.value as? [UInt8]
    #expect(try #require(data).capacity < 1 << 17)
  }

  @Test func retryTimeIsDigitsOnly() throws {
    let reader = Locked(ServerSentEventReader())
    let parser = StreamFormat.serverSentEvents { reader }.makeDecoder(FeatherJSONDecoder())
    func reconnectionTime() -> TimeInterval? { reader.withLock { $0.reconnectionTime } }
    func feed(_ text: String) throws -> ServerSentEvent? {
      parser.append(Data(text.utf8))
      return try parser.next(false)
    }
    expectEqual(try feed("retry: 1500\ndata: a\n\n")?.retry, 1.5)
    expectEqual(try feed("data: b\n\n"), event("b"))
    for bad in ["", "-1", "1.5", "1e3", "١", " 1", "1 ", "0x1"] {
      expectEqual(try feed("retry: \(bad)\n\n"), nil)
      expectEqual(reconnectionTime(), 1.5)
    }
    expectEqual(try feed("retry:0\n\n"), nil)
    expectEqual(reconnectionTime(), 0)
    expectEqual(try feed("retry:\(String(repeating: "9", count: 400))\n"), nil)
    expectEqual(reconnectionTime(), TimeInterval(Int32.max) / 1000)
  }

  @Test func eventLimitIsExact() {
    let error = StreamLimitError(limit: 10)
    expectElements(
      .serverSentEvents { Locked(ServerSentEventReader(limit: 10)) },
      "data:a\n\ndata:12345\ndata:6\ndata:7\ndata:8\n\n".utf8, [event("a")],
      error: error)
    expectElements(
      .serverSentEvents { Locked(ServerSentEventReader(limit: 10)) }, "data:1234\ndata:1234\n\n".utf8,
      [event("1234\n1234")])
    expectElements(
      .serverSentEvents { Locked(ServerSentEventReader(limit: 10)) }, ":1234567890\n".utf8, [],
      error: StreamLimitError(limit: 10))
  }

  @Test func randomCutsGiveTheSameEvents() {
    let alphabet = Array("\n\n\r:: data\ndata:\nid:event\u{FEFF}".utf8)
    expectCutsDoNotMatter(.serverSentEvents, seed: 24, alphabet: alphabet)
    expectCutsDoNotMatter(.serverSentEvents { Locked(ServerSentEventReader(limit: 8)) }, seed: 25, alphabet: alphabet)
  }
}
