import Foundation
import WebServices

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Where the signal handler leaves the number of the signal, and where it is read.
private let signalPipe: (reading: Int32, writing: Int32) = {
  var descriptors: [Int32] = [-1, -1]
  return pipe(&descriptors) == 0 ? (descriptors[0], descriptors[1]) : (-1, -1)
}()

/// Ends the process when it is interrupted, the terminal as it was before.
///
/// A signal may reach any thread, so a dispatch source would miss those that another thread takes. The handler does
/// the little that one is allowed to do: it writes a byte.
enum Interruption {
  /// Ends what must not be left half done.
  private static let cleanUp = Locked<(@Sendable () -> Void)?>(nil)
  private static let ending = Locked(false)

  /// Whether the process is about to end.
  static var isEnding: Bool { ending.withLock { $0 } }

  /// Starts something that leaves nothing behind when it is interrupted.
  ///
  /// - Parameter start: starts it, and returns what cancels it and waits until it is gone. An interruption waits for it.
  static func guarding(_ start: () -> @Sendable () -> Void) {
    cleanUp.withLock { $0 = start() }
  }

  /// What was started has ended by itself.
  static func stopGuarding() {
    cleanUp.withLock { $0 = nil }
  }

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
      end(status: 128 + Int32(number))
    }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe.writing, &byte, 1)
      }
    }
  }

  /// Ends the process at once: whatever still runs has nothing to save.
  static func end(status: Int32) -> Never {
    Terminal.restore()
    _exit(status)
  }
}
