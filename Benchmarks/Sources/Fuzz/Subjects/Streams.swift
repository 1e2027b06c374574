import Foundation
import WebServices

extension Subject {
  /// The stream parsers. Their results must not depend on how the input is cut into pieces.
  static let streams: [Subject] = [
    Subject("LineParser", samples: lineSamples, words: ["\r\n", "\n", "\r", "\u{FEFF}"]) { input in
      try compare(&input) { LineParser(limit: $0) { String(decoding: $0, as: UTF8.self) } }
    },
    Subject("JSONLinesParser", samples: lineSamples + jsonSamples, words: ["\r\n", "\n", " \n", "{}"]) { input in
      try compare(&input) { LineParser(limit: $0, endsAtCarriageReturn: false) { Data($0) } }
    },
    Subject("ServerSentEventParser", weight: 20, samples: eventSamples, words: eventWords) { input in
      try compare(&input) { limit in
        var reader = ServerSentEventReader(limit: limit)
        return LineParser(limit: limit) { try reader.read($0) }
      }
    },
  ]

  private static let lineSamples = [
    "one\ntwo\r\nthree\rfour", "\u{FEFF}first\n\n\nlast\n", "", "\r\n\r\n", "{\"a\":1}\n{\"a\":2}\r\n  \n{\"a\":3}",
  ]
  private static let eventSamples = [
    "data: one\n\n", "event: add\ndata: a\ndata: b\nid: 7\nretry: 1500\n\n:comment\n\ndata\n\n",
    "\u{FEFF}id: 1\r\ndata:x\r\n\r\nid\r\rdata: y\r\r",
    "data:\n\n\ndata: {\"a\": 1}\n\nretry: 99999999999999999999\n\n",
  ]
  private static let eventWords = [
    "data:", "data: ", "event:", "id:", "retry:", "retry: 10\n", "\n\n", "\r\r", "\r\n\r\n", ":", "\u{FEFF}",
  ]

  private static func compare<Element: Equatable>(
    _ input: inout FuzzInput, _ make: (Int) -> LineParser<Element>
  ) throws {
    let limit = input.chance.once(in: 4) ? input.chance.below(40) : 1 << 20
    let whole = output(of: make(limit), [input.data])
    let pieces = input.pieces()
    let cut = output(of: make(limit), pieces)
    try Finding.check(
      whole.elements == cut.elements && whole.failed == cut.failed,
      "limit \(limit), cut into \(pieces.map(\.count)): \(cut) instead of \(whole)")
  }

  private static func output<Element>(
    of parser: LineParser<Element>, _ pieces: [Data]
  ) -> (elements: [Element], failed: Bool) {
    var parser = parser
    var elements: [Element] = []
    do {
      for piece in pieces {
        parser.append(piece)
        while let element = try parser.next() { elements.append(element) }
      }
      while let element = try parser.next(isWhole: true) { elements.append(element) }
      return (elements, false)
    } catch {
      return (elements, true)
    }
  }
}
