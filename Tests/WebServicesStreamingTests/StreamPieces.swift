@testable import WebServicesTestSupport
@testable import WebServicesStreaming

/// The output of a parser: its elements, and the limit that stopped it.
struct StreamOutcome<Element: Sendable & Equatable>: Equatable, Sendable {
  var elements: [Element] = []
  var error: StreamLimitError?

  init(_ format: StreamFormat<Element>, _ pieces: [Data]) {
    let parser = format.makeDecoder(FeatherJSONDecoder())
    do {
      for piece in pieces {
        parser.append(piece)
        while let element = try parser.next(false) { elements.append(element) }
      }
      while let element = try parser.next(true) { elements.append(element) }
    } catch {
      self.error = error as? StreamLimitError
      if self.error == nil { Issue.record(error) }
    }
  }
}

extension Data {
  /// The data in pieces, cut at these offsets.
  func cut(at places: [Int]) -> [Data] {
    let bounds = [0] + places.sorted() + [count]
    return zip(bounds, bounds.dropFirst()).map { self[(startIndex + $0)..<(startIndex + $1)] }
  }
}

/// Expects the same elements for the whole text, for a cut at each byte, and for single bytes.
func expectElements<Element: Equatable>(
  _ format: StreamFormat<Element>, _ bytes: some Sequence<UInt8>, _ expected: [Element],
  error: StreamLimitError? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  let data = Data(bytes)
  let cuts = [[]] + (0...data.count).map { [$0] } + [Array(0...data.count)]
  for cut in cuts {
    let outcome = StreamOutcome(format, data.cut(at: cut))
    #expect(outcome.elements == expected, "cut at \(cut)", sourceLocation: sourceLocation)
    #expect(outcome.error == error, "cut at \(cut)", sourceLocation: sourceLocation)
  }
}

/// Expects that the elements of random bytes don't depend on the cuts.
func expectCutsDoNotMatter(
  _ format: StreamFormat<some Equatable>, seed: UInt64, alphabet: [UInt8],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var generator = Chance(seed: seed)
  for _ in 0..<1500 {
    let count = Int.random(in: 0...60, using: &generator)
    let data = Data(
      (0..<count).map { _ in
        Bool.random(using: &generator)
          ? alphabet[Int.random(in: alphabet.indices, using: &generator)] : UInt8.random(in: 0...255, using: &generator)
      })
    let cuts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Int.random(in: 0...count, using: &generator) }
    #expect(
      StreamOutcome(format, data.cut(at: cuts)) == StreamOutcome(format, [data]), "\(Array(data)) cut at \(cuts)",
      sourceLocation: sourceLocation)
  }
}
