/// A bounded piece of a JSON document around a place, with the names of the members that enclose it.
///
/// The names are needed to hide secrets: a piece may begin inside a secret member's value, behind the member's name.
struct JSONExcerpt: Hashable, Sendable {
  /// How much is shown before the place and behind it, in bytes.
  private static let reach = 100

  /// A copy, because an error must not keep the whole document.
  private let piece: [UInt8]
  /// The index of the place in the piece.
  private let place: Int
  private let isCutBefore: Bool
  private let isCutBehind: Bool
  /// The names of the members whose values contain the start of the piece.
  private let startNames: [String]
  /// The names of the members whose values contain the place.
  private let placeNames: [String]

  /// - Parameter place: the first byte of interest.
  init(of outline: JSONOutline, around place: Int) {
    let bytes = outline.bytes
    // A piece begins with a token. Inside of a long token it begins at the place.
    let first = outline.tokens.lazy.map(outline.start(of:)).first { $0 >= place - Self.reach }
    let start = min(first ?? place, place)
    startNames = outline.names(around: start)
    placeNames = outline.names(around: place)
    var end = min(bytes.count, place + Self.reach)
    // No character is cut at the end.
    while end < bytes.count, end > place, bytes[end].isUTF8Continuation { end -= 1 }
    piece = Array(bytes[start..<end])
    (isCutBefore, isCutBehind) = (start > 0, end < bytes.count)
    self.place = place - start
  }

  /// The piece, unchanged.
  var text: String { String(decoding: piece, as: UTF8.self) }

  /// The piece with dots for omitted parts, and without the values that the redaction hides.
  func text(redaction: Redaction) -> String {
    (isCutBefore ? "…" : "") + redacted(redaction) + (isCutBehind ? "…" : "")
  }

  private func redacted(_ redaction: Redaction) -> String {
    // The place is inside a secret value, so the whole piece is hidden.
    guard !placeNames.contains(where: { redaction.hides(path: $0.utf8) }) else { return Redaction.placeholder }
    // The piece begins inside a secret value, which ends before the place.
    let isStartHidden = startNames.contains { redaction.hides(path: $0.utf8) }
    let shown = isStartHidden ? piece[place...] : piece[...]
    // Up to the place it is known which text is inside a string.
    let head = redaction.text(String(decoding: shown[..<place], as: UTF8.self))
    let rest = String(decoding: shown[place...], as: UTF8.self)
    // The place may be inside a secret, or between a secret's name and its value.
    guard redaction.text(String(decoding: shown, as: UTF8.self)) == head + redaction.text(rest) else {
      return Redaction.placeholder
    }
    // A broken document may be broken at the place. It isn't clear which text behind it is inside a string, so the tail
    // is searched in both ways. The redaction looks for values between quotes.
    let tail = redaction.text("\"" + rest).dropFirst()
    return (isStartHidden ? Redaction.placeholder : "") + head + redaction.text(String(tail))
  }
}
