public import Foundation

/// Explains why a JSON body can't be decoded: the place, the expected type, the value that is there, and the JSON
/// around it.
///
/// The properties contain the server's text; ``description`` hides secrets.
public struct DecodingFailure: Hashable, Sendable, DescriptionOnly, OwnRedaction {
  /// The path to the value, such as `value[3].joke`; empty for the whole document. A missing key isn't part of the
  /// path.
  public let codingPath: String
  /// The value that the model needs there: `a string`, `the key "joke"`; `nil` if the decoder doesn't say it.
  public let expected: String?
  /// The value that is there: `the number 12`, `null`, `an object with the keys "id", "text"`; `nil` if there is none.
  public let found: String?
  /// The line of the place, counted from 1.
  public let line: Int
  /// The column of the place in characters (Unicode scalars), counted from 1.
  public let column: Int
  /// The decoder's own description, corrected if it would mislead.
  public let explanation: String

  /// The names on the path, which decide whether the value is secret.
  private let names: Set<String>
  private let piece: JSONExcerpt
  /// Hides secrets in the description.
  package var redaction = DescriptionRedaction()

  /// The piece of JSON around the place, up to 100 bytes to each side, secrets included.
  public var excerpt: String { piece.text }

  /// Explains an error of `JSONDecoder` with the bytes that it decoded.
  ///
  /// - Parameters:
  ///   - error: the error of the decoder.
  ///   - body: the bytes that the decoder got. Line, column and excerpt are searched for in them.
  public init(_ error: DecodingError, in body: Data) {
    let facts = DecodingErrorFacts(error)
    let outline = JSONOutline([UInt8](body))
    let diagnosis = JSONDiagnosis(of: facts, in: outline)
    codingPath = Self.words(for: facts.path)
    names = Set(facts.path.map(\.stringValue))
    expected = facts.expected ?? (diagnosis.isBroken ? "JSON" : nil)
    found = diagnosis.found
    // This is Foundation's message on Linux for a number that doesn't fit its type. It lacks the place of the number.
    let isWrong = !diagnosis.isBroken && facts.explanation == "The given data was not valid JSON."
    explanation = isWrong ? "it is JSON, but a number in it doesn't fit its type" : facts.explanation
    (line, column) = Self.lineAndColumn(of: diagnosis.place, in: outline.bytes)
    piece = JSONExcerpt(of: outline, around: diagnosis.place)
  }

  /// The failure in one line, without the values that the redaction hides.
  public func description(redaction: Redaction) -> String {
    let isSecret = names.contains { redaction.hides(path: $0.utf8) }
    let found = found.map { "found " + (isSecret ? Redaction.placeholder : Self.shown($0, redaction)) }
    let facts = [expected.map { "expected \($0)" }, found].compactMap { $0 }.joined(separator: ", ")
    var text = "at \(codingPath.isEmpty ? "the top level" : Self.shown(codingPath, redaction)): "
    text += facts.isEmpty ? "the value can't be decoded" : facts
    if expected == nil, !explanation.isEmpty, !isSecret { text += " (\(redaction.text(explanation)))" }
    return text + "; line \(line), column \(column), near \(piece.text(redaction: redaction))"
  }

  /// A shortened text without secrets. Of a secret before the dots only the beginning may be left, which the redaction
  /// recognizes at the end of a text.
  private static func shown(_ text: String, _ redaction: Redaction) -> String {
    redaction.text(text).components(separatedBy: "…").map(redaction.text).joined(separator: "…")
  }

  private static func words(for path: [any CodingKey]) -> String {
    // Bounded, because a document may be nested deeply and a key may be long.
    let shown = path.prefix(64).reduce(into: "") { text, step in
      text += step.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + step.stringValue.shortened(to: 64)
    }
    return shown + (path.count > 64 ? "…" : "")
  }

  private static func lineAndColumn(of place: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes[..<place]
    // A line ends with LF, CR or CRLF, where the LF counts. Lazy, because a server may send any number of lines.
    let ends = before.indices.lazy.filter { index in
      bytes[index] == UInt8.lineFeed
        || bytes[index] == UInt8.carriageReturn && (index + 1 == bytes.count || bytes[index + 1] != UInt8.lineFeed)
    }
    let lineStart = ends.last.map { $0 + 1 } ?? 0
    return (1 + ends.count, 1 + before[lineStart...].lazy.filter { !$0.isUTF8Continuation }.count)
  }

  /// The failure in one line, without secrets. The failure of a ``WebServiceError`` hides the secrets of its request,
  /// any other failure those of ``Redaction/standard``.
  public var description: String { description(redaction: redaction.value) }
}
