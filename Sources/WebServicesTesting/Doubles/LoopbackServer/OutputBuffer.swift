/// The bytes that wait to be sent. `append` adds bytes, and `send` passes them to the socket as far as the system
/// accepts them.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  /// The number of bytes at the front that were sent.
  private var position = 0

  var count: Int { bytes.count - position }
  var isEmpty: Bool { position == bytes.count }

  mutating func append(_ new: some Collection<UInt8>) {
    bytes.append(contentsOf: new)
  }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func removeLast(_ count: Int) {
    bytes.removeLast(min(count, self.count))
  }

  /// Sends up to `limit` bytes, and returns the number that the system accepted.
  mutating func send(to descriptor: Int32, atMost limit: Int) -> System.Transfer {
    let end = position + min(limit, count)
    let result = bytes.withUnsafeBytes { System.send(.init(rebasing: $0[position..<end]), to: descriptor) }
    if case .bytes(let sent) = result { position += sent }
    if position == bytes.count {
      // A large response must not keep its memory for the rest of the connection.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
      position = 0
    }
    return result
  }
}
