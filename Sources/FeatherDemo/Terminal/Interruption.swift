import Foundation
import WebServices

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

/// Ends the process on SIGINT, SIGTERM and SIGHUP after cleaning up and restoring the terminal. Call `handle()` at the
/// start, and `guarding(_:)` for work that leaves something behind.
///
/// A signal handler may do almost nothing, so the handler writes one byte to a pipe and a thread does the rest. A
/// dispatch source would miss the signals that another thread receives.
enum Interruption {
  /// Cancels the work in progress and waits for its end; `nil` if there is none.
  private static let cleanUp = Locked<(@Sendable () -> Void)?>(nil)
  /// Set once, by the thread that has read a signal.
  private static let ending = Locked(false)

  /// Whether a signal has arrived and the process is about to end.
  static var isEnding: Bool { ending.withLock { $0 } }

  /// Starts work that must be cancelled before the process ends, such as a download with a temporary file.
  ///
  /// - Parameter start: starts the work, and returns a function that cancels it and waits for its end.
  static func guarding(_ start: () -> @Sendable () -> Void) {
    cleanUp.withLock { $0 = start() }
  }

  /// Call this when the guarded work has ended.
  static func stopGuarding() {
    cleanUp.withLock { $0 = nil }
  }

  /// Starts the thread that waits for a signal, then sets the handlers. Call this once.
  @MainActor
  static func handle() {
    let reading = signalPipe.reading
    guard reading >= 0 else { return }
    Thread.detachNewThread {
      var number: UInt8 = 0
      while case let count = read(reading, &number, 1), count != 1 {
        guard count < 0, errno == EINTR else { return }
      }
      ending.withLock { $0 = true }
      let cleanUp = cleanUp.withLock { $0 }
      cleanUp?()
      // Shells use the same status for a process that a signal ended.
      end(status: 128 + Int32(number))
    }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe.writing, &byte, 1)
      }
    }
  }

  /// Ends the process at once, without the exit handlers, since other threads still run. Work that is still running has
  /// nothing to save.
  static func end(status: Int32) -> Never {
    Terminal.restore()
    _exit(status)
  }
}
