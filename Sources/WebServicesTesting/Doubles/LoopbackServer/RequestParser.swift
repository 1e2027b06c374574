import Foundation
import WebServicesCore

/// Parses requests (RFC 9112) from bytes in pieces of any size. Pass bytes to `receive`, then call `next()` until it
/// returns `nil`. The parser does no I/O.
///
/// The parser is strict, because a lenient server would hide a client's mistake. It rejects lines that end in LF alone,
/// white space before a colon, and folded lines. It also rejects two lengths, or a length with `Transfer-Encoding`.
struct RequestParser {
  /// Valid transitions, besides those to `failed`:
  /// - `requestLine`, `fields`, then `end` without a body
  /// - `fields`, `content`, `end`
  /// - `fields`, `chunkSize`, `content`, `chunkEnd`, `chunkSize` and so on, then `trailers`, `end`
  /// - `end`, then `requestLine` of the next request
  enum State {
    case requestLine
    case fields
    /// The body, or a chunk of it.
    case content(remaining: Int, isChunk: Bool)
    case chunkSize
    case chunkEnd
    case trailers
    case end
    case failed
  }

  let limits: LoopbackServer.Limits
  private var buffer: [UInt8] = []
  /// The index of the first byte that belongs to no event yet.
  private var position = 0
  private var state = State.requestLine
  /// The bytes of the current head, for the limit. Trailers count too.
  private var headBytes = 0
  /// The bytes of the current chunked body, for the limit.
  private var bodyBytes = 0
  private var head: Head?
  private var trailers = HTTPHeaders()

  init(limits: LoopbackServer.Limits = .init()) {
    self.limits = limits
  }

  /// The number of received bytes that belong to no event yet.
  var pendingByteCount: Int { buffer.count - position }

  /// Adds received bytes.
  mutating func receive(_ bytes: some Collection<UInt8>) {
    if case .failed = state { return }
    // Moving the rest to the front is worth it only after many bytes.
    if position == buffer.count || position > 65_536 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next event; `nil` if it needs more bytes.
  mutating func next() -> Event? {
    do {
      while true {
        switch state {
        case .requestLine: guard try readRequestLine() else { return nil }
        case .fields:
          guard let line = try nextLine() else { return nil }
          if let event = try readField(line) { return event }
        case .content(let remaining, let isChunk): return readContent(remaining, isChunk: isChunk)
        case .chunkSize: guard try readChunkSize() else { return nil }
        case .chunkEnd: guard try readChunkEnd() else { return nil }
        case .trailers: guard try readTrailer() else { return nil }
        case .end: return finish()
        case .failed: return nil
        }
      }
    } catch {
      state = .failed
      return .failure(error)
    }
  }
}

// MARK: - Lines

extension RequestParser {
  /// Returns the next line without CR LF; `nil` if the line isn't complete.
  ///
  /// - Parameter isHead: whether the line counts against the limit of the head, or else is a chunk's size.
  private mutating func nextLine(isHead: Bool = true) throws(Failure) -> ArraySlice<UInt8>? {
    let lineFeed = buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress,
        let found = memchr(base + position, 0x0A, bytes.count - position)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
    let length = (lineFeed.map { $0 + 1 } ?? buffer.count) - position
    // The limit is checked before the line is complete, so that a line without an end can't fill the memory.
    guard isHead || length <= 1024 else { throw .bad("a chunk size line has more than 1024 bytes") }
    guard !isHead || headBytes + length <= limits.headBytes else {
      throw Failure(status: 431, reason: "the head has more than \(limits.headBytes) bytes")
    }
    guard let lineFeed else { return nil }
    guard lineFeed > position, buffer[lineFeed - 1] == 0x0D else { throw .bad("a line ends in LF alone") }
    let line = buffer[position..<(lineFeed - 1)]
    if isHead { headBytes += length }
    position = lineFeed + 1
    return line
  }

  /// Reads a request line or an empty line before it; `false` if the line isn't complete.
  private mutating func readRequestLine() throws(Failure) -> Bool {
    // The first byte is checked before the line is complete, so that a TLS handshake is rejected at once.
    if position < buffer.count, buffer[position] < 0x20, buffer[position] != 0x0D {
      throw .bad("the request line begins with a control character")
    }
    guard let line = try nextLine() else { return false }
    // A server ignores empty lines before a request (RFC 9112, section 2.2).
    guard !line.isEmpty else { return true }
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .bad("the request line must have three parts") }
    guard parts[0].isHTTPToken else { throw .bad("the method isn't a token") }
    guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw .bad("the request target is empty or has a control character")
    }
    let minorVersion: Int
    switch String(decoding: parts[2], as: UTF8.self) {
    case "HTTP/1.1": minorVersion = 1
    case "HTTP/1.0": minorVersion = 0
    case let version where version.hasPrefix("HTTP/"):
      throw Failure(status: 505, reason: "the version isn't HTTP/1.0 or HTTP/1.1")
    default: throw .bad("the request line doesn't end in a version")
    }
    head = Head(
      method: HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self)),
      target: Self.text(parts[1]), minorVersion: minorVersion, headers: HTTPHeaders())
    state = .fields
    return true
  }

  /// Adds a field to the head. The empty line after the fields makes the head's event.
  private mutating func readField(_ line: ArraySlice<UInt8>) throws(Failure) -> Event? {
    guard line.isEmpty else {
      let field = try Self.field(line)
      head?.headers.add(name: field.name, value: field.value)
      return nil
    }
    guard var head else { throw .bad("the request line is missing") }
    state = try state(after: head)
    head.keepsAlive = Self.keepsAlive(head)
    head.expectsContinue =
      head.minorVersion == 1 && head.headers["Expect"]?.equalsIgnoringASCIICase("100-continue") == true
    self.head = nil
    return .head(head)
  }

  private mutating func readTrailer() throws(Failure) -> Bool {
    guard let line = try nextLine() else { return false }
    guard !line.isEmpty else {
      state = .end
      return true
    }
    let field = try Self.field(line)
    trailers.add(name: field.name, value: field.value)
    return true
  }
}

// MARK: - Bodies

extension RequestParser {
  private mutating func readContent(_ remaining: Int, isChunk: Bool) -> Event? {
    let bytes = Array(buffer[position...].prefix(remaining))
    guard !bytes.isEmpty else { return nil }
    position += bytes.count
    let rest = remaining - bytes.count
    state = rest > 0 ? .content(remaining: rest, isChunk: isChunk) : isChunk ? .chunkEnd : .end
    return .body(bytes)
  }

  private mutating func readChunkSize() throws(Failure) -> Bool {
    guard let line = try nextLine(isHead: false) else { return false }
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
    guard !digits.isEmpty, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      line.isHTTPFieldValue
    else { throw .bad("a chunk size isn't a hexadecimal number") }
    guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      size <= limits.bodyBytes - bodyBytes
    else { throw tooLarge }
    bodyBytes += size
    state = size == 0 ? .trailers : .content(remaining: size, isChunk: true)
    return true
  }

  private mutating func readChunkEnd() throws(Failure) -> Bool {
    guard pendingByteCount > 0 else { return false }
    guard buffer[position] == 0x0D else { throw .bad("a chunk isn't followed by CR LF") }
    guard pendingByteCount > 1 else { return false }
    guard buffer[position + 1] == 0x0A else { throw .bad("a chunk isn't followed by CR LF") }
    position += 2
    state = .chunkSize
    return true
  }

  private mutating func finish() -> Event {
    let event = Event.end(trailers: trailers)
    trailers = HTTPHeaders()
    headBytes = 0
    bodyBytes = 0
    state = .requestLine
    return event
  }
}
