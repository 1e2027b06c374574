import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The pipe through which the signal handler passes the signal's number to a thread.
private let signalPipe: (reading: Int32, writing: Int32) = {
  var descriptors: [Int32] = [-1, -1]
  return pipe(&descriptors) == 0 ? (descriptors[0], descriptors[1]) : (-1, -1)
}()

/// Kills the child processes when the program is interrupted. A signal handler may do almost nothing, so it writes one
/// byte to a pipe and a thread does the rest.
enum Interruption {
  /// Set by `remove(_:)`, and read by the thread that handles a signal.
  private static let temporaryFiles = Mutex<URL?>(nil)

  /// Call this once.
  static func handle() {
    let reading = signalPipe.reading
    guard reading >= 0 else { return }
    Thread.detachNewThread {
      var number: UInt8 = 0
      while case let count = read(reading, &number, 1), count != 1 {
        guard count < 0, errno == EINTR else { return }
      }
      ChildProcess.stopAll()
      if let files = temporaryFiles.withLock({ $0 }) { try? FileManager.default.removeItem(at: files) }
      exit(128 + Int32(number))
    }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe.writing, &byte, 1)
      }
    }
  }

  /// Names temporary files to delete on an interruption.
  static func remove(_ files: URL) {
    temporaryFiles.withLock { $0 = files }
  }
}
