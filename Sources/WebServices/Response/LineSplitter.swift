import Foundation

/// Cuts a stream of bytes into lines and skips a UTF-8 byte order mark before the first. Each byte is read once and moved a
/// bounded number of times, for any line length and any piece size.
struct LineSplitter: Sendable {
  /// The bytes that end a line.
  enum Ending: Sendable {
    /// LF, CR, or CR and LF, as WHATWG defines it for event streams.
    case any
    /// LF alone.
    case lineFeed
  }

  private let ending: Ending
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the current line begins.
  private var lineStart = 0
  /// How far the buffer was searched for the line's end.
  private var scanned = 0
  /// The last line ended with CR, so that an LF that follows belongs to its end.
  private var skipsLineFeed = false
  private var isAtStart = true
  private var isFinished = false
  private var failure: StreamLimitError?

  /// - Parameter limit: the longest line in bytes, without its end.
  init(ending: Ending, limit: Int) {
    self.ending = ending
    self.limit = max(limit, 0)
  }

  mutating func append(_ data: Data) {
    guard failure == nil, !isFinished, !data.isEmpty else { return }
    if lineStart == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      (lineStart, scanned) = (0, 0)
    } else if lineStart > buffer.count / 2 {
      buffer.removeSubrange(..<lineStart)
      (lineStart, scanned) = (0, scanned - lineStart)
    }
    data.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  mutating func finish() {
    isFinished = true
  }

  /// Reads the next line without its end; `nil` if it isn't complete. Once the stream is finished, bytes after the last end
  /// are a line too.
  mutating func next<Output>(_ read: (UnsafeBufferPointer<UInt8>) -> Output) throws -> Output? {
    if let failure { throw failure }
    guard skipByteOrderMark() else { return nil }
    skipLineFeed()
    let end = endOfLine()
    guard (end ?? buffer.count) - lineStart <= limit else {
      let error = StreamLimitError(element: .line, limit: limit)
      self = LineSplitter(ending: ending, limit: limit)
      failure = error
      throw error
    }
    if let end {
      let output = line(until: end, read)
      skipsLineFeed = ending == .any && buffer[end] == UInt8.carriageReturn
      (lineStart, scanned) = (end + 1, end + 1)
      return output
    }
    scanned = buffer.count
    guard isFinished, lineStart < buffer.count else { return nil }
    let output = line(until: buffer.count, read)
    lineStart = buffer.count
    return output
  }

  /// - Returns: `false` if more bytes are needed to recognize a byte order mark.
  private mutating func skipByteOrderMark() -> Bool {
    guard isAtStart else { return true }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if buffer.count < mark.count, !isFinished, mark.starts(with: buffer) { return false }
    isAtStart = false
    if buffer.starts(with: mark) { (lineStart, scanned) = (mark.count, mark.count) }
    return true
  }

  private mutating func skipLineFeed() {
    guard skipsLineFeed, lineStart < buffer.count else { return }
    skipsLineFeed = false
    guard buffer[lineStart] == UInt8.lineFeed else { return }
    lineStart += 1
    scanned = lineStart
  }

  private func endOfLine() -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      switch ending {
      case .any: bytes[scanned...].firstIndex { $0 == UInt8.lineFeed || $0 == UInt8.carriageReturn }
      case .lineFeed: bytes[scanned...].firstIndex(of: UInt8.lineFeed)
      }
    }
  }

  private func line<Output>(until end: Int, _ read: (UnsafeBufferPointer<UInt8>) -> Output) -> Output {
    buffer.withUnsafeBufferPointer { read(UnsafeBufferPointer(rebasing: $0[lineStart..<end])) }
  }
}

extension UInt8 {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
}
