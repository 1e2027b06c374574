import Foundation

extension String {
  /// The host of a URL in lower case, with the port where one is written: what circuits and limits are kept for.
  var hostAndPort: String {
    let authority = utf8.withContiguousStorageIfAvailable { Self.authority(of: $0) }
    return authority ?? Array(utf8).withUnsafeBufferPointer { Self.authority(of: $0) }
  }

  private static func authority(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var start = 0
    while start < bytes.count, bytes[start] != UInt8(ascii: ":") { start += 1 }
    // Behind the colon and two slashes.
    start += 3
    guard start <= bytes.count else { return "" }
    var end = start
    var hasCapitals = false
    while end < bytes.count, !bytes[end].endsURLAuthority {
      if bytes[end] == UInt8(ascii: "@") { start = end + 1 }
      hasCapitals = hasCapitals || (bytes[end] >= UInt8(ascii: "A") && bytes[end] <= UInt8(ascii: "Z"))
      end += 1
    }
    let authority = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    return hasCapitals ? authority.lowercased() : authority
  }
}
