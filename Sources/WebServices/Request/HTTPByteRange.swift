/// One range of bytes, as a request asks for it (RFC 9110, section 14.1.2).
public enum HTTPByteRange: Hashable, Sendable {
  /// From the byte at an offset to the end: `bytes=500-`.
  case from(Int64)
  /// The bytes at these offsets, both included: `bytes=0-499`.
  case bytes(ClosedRange<Int64>)
  /// So many bytes at the end: `bytes=-500`.
  case last(Int64)

  /// Reads the value of a `Range` field; `nil` where it isn't one range of bytes.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, String(parts[0]).equalsIgnoringASCIICase("bytes") else { return nil }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2 else { return nil }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true):
      return nil
    case (true, false):
      guard let count = ends[1].httpNumber else { return nil }
      self = .last(count)
    case (false, true):
      guard let first = ends[0].httpNumber else { return nil }
      self = .from(first)
    case (false, false):
      guard let first = ends[0].httpNumber, let last = ends[1].httpNumber, first <= last else { return nil }
      self = .bytes(first...last)
    }
  }
}

extension HTTPByteRange: CustomStringConvertible {
  /// The range as it is sent. A negative number, which no range has, is sent as 0.
  public var description: String {
    switch self {
    case .from(let first): "bytes=\(max(0, first))-"
    case .bytes(let range): "bytes=\(max(0, range.lowerBound))-\(max(0, range.upperBound))"
    case .last(let count): "bytes=-\(max(0, count))"
    }
  }
}

extension String {
  /// Digits alone, as lengths and offsets are written; `nil` for anything else, also a number that is too large.
  var httpNumber: Int64? {
    guard utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
    return Int64(self)
  }
}
