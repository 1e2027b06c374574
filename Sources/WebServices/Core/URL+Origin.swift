import Foundation

extension URL {
  /// The host in lower case, with the port where one is written: what circuits and limits are kept for.
  var hostAndPort: String {
    let text = absoluteString
    let authority = text.utf8.withContiguousStorageIfAvailable { Self.authority(of: $0) }
    return authority ?? Array(text.utf8).withUnsafeBufferPointer { Self.authority(of: $0) }
  }

  private static func authority(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard var start = bytes.firstIndex(of: UInt8(ascii: ":")).map({ $0 + 3 }), start <= bytes.count else { return "" }
    var end = start
    var hasCapitals = false
    while end < bytes.count, !bytes[end].endsURLAuthority {
      if bytes[end] == UInt8(ascii: "@") { start = end + 1 }
      if bytes[end] != bytes[end].asciiLowercased { hasCapitals = true }
      end += 1
    }
    let authority = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    return hasCapitals ? authority.lowercased() : authority
  }
}
