#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Opens and writes the process's standard input, output and error. Call `open()` first in `main`.
enum StandardStreams {
  /// The descriptors that POSIX gives these streams.
  enum Stream: Int32 {
    case input = 0
    case output = 1
    case error = 2
  }

  /// The `errno` of a failed write.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var isBrokenPipe: Bool { code == EPIPE }
    var description: String { String(cString: strerror(code)) }
  }

  /// Opens `/dev/null` for each standard stream that the parent process closed. Otherwise the next socket would get the
  /// stream's number. Each stream gets the wrong direction on purpose, so that reading or writing still fails.
  static func open() {
    // A write to a closed pipe then fails with EPIPE, which `Console` handles.
    signal(SIGPIPE, SIG_IGN)
    for (descriptor, mode) in [(Stream.input, O_WRONLY), (.output, O_RDONLY), (.error, O_RDONLY)]
    where fcntl(descriptor.rawValue, F_GETFD) == -1 && errno == EBADF {
      openNothing(mode)
    }
  }

  /// Writes the whole text, and waits while the stream is full. Returns `nil` on success.
  static func write(_ text: String, to stream: Stream) -> Failure? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = writeOnce(rest, to: stream.rawValue)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN || errno == EWOULDBLOCK {
          waitUntilWritable(stream.rawValue)
        } else if errno != EINTR {
          return Failure(code: errno)
        }
      }
      return nil
    }
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  private static func openNothing(_ mode: Int32) {
    #if canImport(Darwin)
      _ = Darwin.open("/dev/null", mode)
    #elseif canImport(Musl)
      _ = Musl.open("/dev/null", mode)
    #elseif canImport(Glibc)
      _ = Glibc.open("/dev/null", mode)
    #endif
  }

  private static func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
