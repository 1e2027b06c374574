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
      guard let data = readBytes(descriptor, upTo: count) else { throw POSIXError.last }
      return data
    }

    func close() {
      _ = Glibc.close(descriptor)
    }
  }

  extension stat {
    fileprivate var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  }

  extension POSIXError {
    /// The error of `errno`.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  extension CurlBodySource {
    /// Opens the body of the task's request, which may block; `nil` for a body in memory.
    convenience init?(_ task: CurlTask) throws {
      let driver = task.driver
      let reader: any TransportBodyReader
      let length: Int64?
      switch task.request.body {
      case .none, .data:
        return nil
      case .file(let url):
        let file = try CurlFileReader(url)
        (reader, length) = (file, file.length)
      case .stream(let stream):
        let counted = try CountedReader(stream)
        (reader, length) = (counted, counted.length)
      }
      self.init(reader: reader, length: length) { driver.post(.sendMore(task)) }
    }
  }
#endif
