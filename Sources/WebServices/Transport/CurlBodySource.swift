#if os(Linux)
  import Foundation

  /// Reads a body ahead on a queue of its own, so that no thread of the transport's waits for it.
  ///
  /// `lock` guards all that varies; the reader is called on `queue` alone.
  final class CurlBodySource: @unchecked Sendable {
    enum Step {
      /// So many bytes were given; none at the end.
      case bytes(Int)
      /// There are none yet; `wake` is called when there are, or at the end.
      case wait
      case failed(any Error)
    }

    private static let pieceSize = 128 * 1024
    private static let readAhead = 256 * 1024

    let length: Int64?
    private let reader: any TransportBodyReader
    private let wake: @Sendable () -> Void
    private let queue = DispatchQueue(label: "CurlSession.body")
    private let lock = NSLock()
    private var pieces: [Data] = []
    private var buffered = 0
    private var total: Int64 = 0
    private var isFilling = false
    private var isAtEnd = false
    private var isAwaited = false
    private var isStopped = false
    private var failure: (any Error)?

    init(reader: any TransportBodyReader, length: Int64?, wake: @escaping @Sendable () -> Void) {
      self.reader = reader
      self.length = length
      self.wake = wake
    }

    /// Called by the thread that drives libcurl.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Step {
      lock.lock()
      defer { lock.unlock() }
      var count = 0
      while count < buffer.count, let piece = pieces.first {
        let part = piece.prefix(buffer.count - count)
        part.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        count += part.count
        if part.count == piece.count {
          pieces.removeFirst()
        } else {
          pieces[0] = piece.dropFirst(part.count)
        }
      }
      buffered -= count
      if buffered < CurlBodySource.readAhead { fill() }
      if count > 0 { return .bytes(count) }
      if let failure { return .failed(failure) }
      if isAtEnd { return .bytes(0) }
      isAwaited = true
      return .wait
    }

    /// Lets go of the reader, once it has returned.
    func stop() {
      lock.lock()
      let isFirst = !isStopped
      isStopped = true
      lock.unlock()
      if isFirst { queue.async { self.reader.close() } }
    }

    /// With the lock held.
    private func fill() {
      guard !isFilling, !isAtEnd, !isStopped, failure == nil else { return }
      isFilling = true
      queue.async { self.readAhead() }
    }

    private func readAhead() {
      while let count = nextCount() {
        let result = Result { count == 0 ? Data() : try reader.read(upTo: count) }
        if take(result, asked: count) { wake() }
      }
    }

    /// How many bytes to read now, or `nil` to leave off.
    private func nextCount() -> Int? {
      lock.lock()
      defer { lock.unlock() }
      guard !isAtEnd, !isStopped, failure == nil, buffered < CurlBodySource.readAhead else {
        isFilling = false
        return nil
      }
      guard let length else { return CurlBodySource.pieceSize }
      return Int(min(length - total, Int64(CurlBodySource.pieceSize)))
    }

    /// Takes what was read; whether somebody waits for it.
    private func take(_ result: Result<Data, any Error>, asked count: Int) -> Bool {
      lock.lock()
      defer { lock.unlock() }
      switch result {
      case .failure(let error):
        failure = error
      case .success(let data) where data.count > count:
        failure = BodyFailure(description: "the reader gave \(data.count) bytes when asked for \(count)")
      case .success(let data) where data.isEmpty:
        isAtEnd = true
        if let length, total < length {
          failure = BodyFailure(description: "the body ended after \(total) of \(length) bytes")
        }
      case .success(let data):
        pieces.append(data)
        buffered += data.count
        total += Int64(data.count)
      }
      defer { isAwaited = false }
      return isAwaited
    }
  }
#endif
