extension HTTPHeaders {
  /// One range of bytes in a request (RFC 9110, section 14.1.2). Assign it to ``HTTPHeaders/range``.
  public enum ByteRange: Hashable, Sendable, CustomStringConvertible {
    /// The bytes from an offset to the end: `bytes=500-`.
    case from(Int64)
    /// The bytes at these offsets, both included: `bytes=0-499`.
    case bytes(ClosedRange<Int64>)
    /// This many bytes at the end: `bytes=-500`.
    case last(Int64)

    /// Parses the value of a `Range` field; `nil` unless it is one range of bytes.
    public init?(_ text: String) {
      let parts = text.parts(separatedBy: "=")
      let ends = parts[parts.count - 1].parts(separatedBy: "-")
      guard parts.count == 2, ends.count == 2, parts[0].equalsIgnoringASCIICase("bytes") else { return nil }
      switch (ends[0].httpNumber, ends[1].httpNumber) {
      case (let first?, let last?) where first <= last: self = .bytes(first...last)
      case (let first?, nil) where ends[1].isEmpty: self = .from(first)
      case (nil, let count?) where ends[0].isEmpty: self = .last(count)
      default: return nil
      }
    }

    /// The range for a `Range` field. A negative number is written as 0.
    public var description: String {
      switch self {
      case .from(let first): "bytes=\(Swift.max(0, first))-"
      case .bytes(let range): "bytes=\(Swift.max(0, range.lowerBound))-\(Swift.max(0, range.upperBound))"
      case .last(let count): "bytes=-\(Swift.max(0, count))"
      }
    }
  }
}
