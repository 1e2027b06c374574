package import Foundation

/// Reads a body's stream, and fails if the stream doesn't have the length that it declared. Before the last bytes are
/// returned, one more byte is requested, so that the server never gets a complete body of a longer stream.
package final class CountedReader: InterruptibleBodyReader {
  package let length: Int64?
  private let reader: any TransportBody.Reader
  /// How many bytes are left; `nil` if the length is unknown. The calls come one at a time, so the lock never waits.
  private let left: Locked<Int64?>

  package init(_ stream: any TransportBody.Stream) throws {
    length = stream.length
    if let length, length < 0 {
      throw RequestBodyError(
        .wrongLength, "the stream's length is \(length) bytes; return nil if the length is unknown")
    }
    left = Locked(length)
    reader = try stream.makeReader()
    // A transport may never read a body of length 0.
    guard length == 0 else { return }
    do { try expectEnd() } catch {
      reader.close()
      throw error
    }
  }

  package func read(upTo count: Int) throws -> Data {
    guard let left = left.withLock({ $0 }) else { return try readChecked(upTo: count) }
    guard left != 0, count > 0 else { return Data() }
    let data = try readChecked(upTo: Int(clamping: min(Int64(count), left)))
    guard !data.isEmpty else {
      throw RequestBodyError(.wrongLength, "the stream ended \(left) bytes before its length of \(length ?? 0) bytes")
    }
    let rest = left - Int64(data.count)
    self.left.withLock { $0 = rest }
    if rest == 0 { try expectEnd() }
    return data
  }

  package func close() { reader.close() }

  package func interrupt() { (reader as? any InterruptibleBodyReader)?.interrupt() }

  private func expectEnd() throws {
    guard try readChecked(upTo: 1).isEmpty else {
      throw RequestBodyError(.wrongLength, "the stream has more bytes than its length of \(length ?? 0) bytes")
    }
  }

  /// Reads with an app's reader, which may return more than was requested.
  private func readChecked(upTo count: Int) throws -> Data {
    let data = try reader.read(upTo: count)
    guard data.count <= count else {
      throw RequestBodyError(.wrongLength, "the reader returned \(data.count) bytes, but only \(count) were requested")
    }
    return data
  }
}
