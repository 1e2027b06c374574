/// A bounded piece of a JSON document around a place, with the names of the members that enclose it.
///
/// The names are needed to hide secrets: a piece may begin inside a secret member's value, behind the member's name.
struct JSONExcerpt: Hashable, Sendable {
  /// How much is shown before the place and behind it, in bytes.
  static let reach = 100

  private let piece: [UInt8]
  /// The place, counted from the start of the piece.
  private let placeOffset: Int
  private let isCutBefore: Bool
  private let isCutBehind: Bool
  private let context: Context

  /// - Parameter place: the first byte of interest.
  init(of outline: JSONOutline, around place: Int) {
    let bytes = outline.bytes
    let place = min(max(place, 0), bytes.count)
    context = Context(of: outline, place: place)
    var end = min(bytes.count, place + Self.reach)
    // No character is cut at the end.
    while end < bytes.count, end > place, bytes[end].isUTF8Continuation { end -= 1 }
    piece = Array(bytes[context.start..<end])
    placeOffset = place - context.start
    isCutBefore = context.start > 0
    isCutBehind = end < bytes.count
  }

  /// The piece, unchanged.
  var text: String { String(decoding: piece, as: UTF8.self) }

  /// The piece with dots for omitted parts, and without the values that the redaction hides.
  func text(redaction: Redaction) -> String {
    (isCutBefore ? "…" : "") + redacted(redaction) + (isCutBehind ? "…" : "")
  }

  private func redacted(_ redaction: Redaction) -> String {
    // The place is inside a secret value, so the whole piece is hidden.
    guard !context.placeNames.contains(where: redaction.hides(field:)) else { return Redaction.placeholder }
    // The piece begins inside a secret value, which ends before the place.
    let isStartHidden = context.startNames.contains(where: redaction.hides(field:))
    let start = isStartHidden ? placeOffset : 0
    // Up to here it is known which text is inside a string.
    let sound = context.isBroken ? placeOffset : piece.count
    let head = redact(piece[start..<sound], isInString: context.startsInString && !isStartHidden, redaction)
    // In a broken document it isn't clear which text is inside a string, so the tail is searched in both ways.
    let tail = redaction.text(redact(piece[sound...], isInString: true, redaction))
    return (isStartHidden ? Redaction.placeholder : "") + head + tail
  }

  private func redact(_ bytes: ArraySlice<UInt8>, isInString: Bool, _ redaction: Redaction) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // The redaction looks for values between quotes. A piece that begins inside a string lacks the first one.
    return isInString ? String(redaction.text("\"" + text).dropFirst()) : redaction.text(text)
  }

  /// The names of members around the place, and the start of the piece.
  private struct Context: Hashable {
    /// The index at which the piece begins: a whole token if possible.
    private(set) var start = 0
    private(set) var startsInString = false
    /// The names of the members whose values contain the start of the piece.
    private(set) var startNames: [String] = []
    /// The names of the members whose values contain the place.
    private(set) var placeNames: [String] = []
    /// The document can be read up to the place and no further.
    private(set) var isBroken = false

    init(of outline: JSONOutline, place: Int) {
      let earliest = max(0, place - JSONExcerpt.reach)
      isBroken = outline.problem != nil && outline.position <= place
      // After a value, and at the end of a broken document, the text may belong to the last name.
      placeNames = outline.names(around: place)
      let first = outline.tokens.lazy.map(outline.start(of:)).first { $0 >= earliest }
      if let first, first <= place {
        start = first
        startNames = outline.names(around: first)
      } else {
        beginInToken(notBefore: earliest, place, outline)
      }
    }

    /// Begins with the token at the place, or inside of a long token.
    private mutating func beginInToken(notBefore earliest: Int, _ place: Int, _ outline: JSONOutline) {
      let bytes = outline.bytes
      let tokenStart = isBroken ? outline.tokenStart : place
      startNames = placeNames
      start = min(max(earliest, tokenStart), place)
      guard start > tokenStart else { return }
      // No character is cut at the start.
      while start < place, bytes[start].isUTF8Continuation { start += 1 }
      startsInString = tokenStart < bytes.count && bytes[tokenStart] == UInt8(ascii: "\"")
    }
  }
}
