#if os(Linux)
  import Foundation

  /// Reads a file for a request's body.
  struct CurlFileReader: TransportBodyReader {
    let descriptor: Int32
    let length: Int64

    init(_ url: URL) throws {
      guard url.isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
      var information = stat()
      guard stat(url.path, &information) == 0 else { throw POSIXError.last }
      guard information.isRegularFile else { throw BodyFailure.notRegularFile }
      // Not to block where a pipe has taken the file's name since.
      descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw POSIXError.last }
      guard fstat(descriptor, &information) == 0, information.isRegularFile else {
        _ = Glibc.close(descriptor)
        throw BodyFailure.notRegularFile
      }
      length = Int64(information.st_size)
    }

    func read(upTo count: Int) throws -> Data {
      var data = Data(count: count)
      let result = data.withUnsafeMutableBytes { bytes in
        var result = Glibc.read(descriptor, bytes.baseAddress, count)
        while result < 0, errno == EINTR { result = Glibc.read(descriptor, bytes.baseAddress, count) }
        return result
      }
      guard result >= 0 else { throw POSIXError.last }
      data.count = result
      return data
    }

    func close() {
      _ = Glibc.close(descriptor)
    }
  }

  /// Writes an answer to a new file, on a queue of its own.
  ///
  /// `failure` and `isClosed` are touched on `queue` alone.
  final class CurlFileSink: @unchecked Sendable {
    /// Bytes on their way to the file before the transport stops receiving.
    static let limit = 2 * 1024 * 1024

    private let url: URL
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "CurlSession.file")
    private var failure: (any Error)?

    /// Creates the file; one that is there already is left alone, and is an error.
    init(_ url: URL) throws {
      guard url.isFileURL else { throw BodyFailure(description: "the URL isn't that of a file") }
      self.url = url
      descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw POSIXError.last }
    }

    /// Closes and removes the file: the exchange had ended before the file was made, so that nobody else would.
    func discard() {
      close { [url] _ in unlink(url.path) }
    }

    /// Writes the piece behind those before it; after a failure nothing is written any longer.
    func write(_ piece: Data, then done: @escaping @Sendable () -> Void) {
      queue.async {
        if self.failure == nil { self.failure = self.writeAll(piece) }
        done()
      }
    }

    /// Closes the file behind the last piece and tells the first failure. Called once.
    func close(then done: @escaping @Sendable ((any Error)?) -> Void) {
      queue.async {
        _ = Glibc.close(self.descriptor)
        done(self.failure)
      }
    }

    private func writeAll(_ piece: Data) -> (any Error)? {
      piece.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return POSIXError.last }
          offset += count
        }
        return nil
      }
    }
  }

  extension stat {
    fileprivate var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  }

  extension POSIXError {
    /// What `errno` says.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  extension CurlAttachments {
    /// Whether the request needs something opened before it can start.
    static func areNeeded(for request: TransportRequest) -> Bool {
      switch (request.body, request.destination) {
      case (.file, _), (.stream, _), (_, .file): true
      default: false
      }
    }

    /// Closes what was opened for an exchange that had ended.
    func discard() {
      source?.stop()
      sink?.discard()
    }

    /// Opens what the request names. It may block.
    init(_ task: CurlTask) throws {
      let mailbox = task.mailbox
      let wake: @Sendable () -> Void = { mailbox.post(.sendMore(task)) }
      switch task.request.body {
      case .none, .data:
        break
      case .file(let url):
        let reader = try CurlFileReader(url)
        source = CurlBodySource(reader: reader, length: reader.length, wake: wake)
      case .stream(let stream):
        let reader = try CountedReader(stream)
        source = CurlBodySource(reader: reader, length: reader.length, wake: wake)
      }
      guard case .file(let url) = task.request.destination else { return }
      do {
        sink = try CurlFileSink(url)
      } catch {
        source?.stop()
        throw error
      }
    }
  }
#endif
