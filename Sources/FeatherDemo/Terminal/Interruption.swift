import Foundation
import WebServices

/// The pipe through which the signal handler passes the signal's number to a thread.
private let signalPipe: (reading: Int32, writing: Int32) = {
  var descriptors: [Int32] = [-1, -1]
  return pipe(&descriptors) == 0 ? (descriptors[0], descriptors[1]) : (-1, -1)
}()

/// Cancels the command on SIGINT, SIGTERM and SIGHUP, so that it can end in good order.
///
/// A signal handler may do almost nothing, so the handler writes one byte to a pipe and a thread does the rest. A
/// dispatch source would miss the signals that another thread receives.
enum Interruption {
  /// How long a cancelled command may take to end, in seconds.
  private static let patience: TimeInterval = 2
  /// The number of the signal that arrived; `nil` if none has.
  private static let received = Locked<Int32?>(nil)
  private static let stepInProgress = Locked<String?>(nil)

  static var number: Int32? { received.withLock { $0 } }

  /// The step that the user reads about after an interruption, such as `signing in`.
  static var step: String? {
    get { stepInProgress.withLock { $0 } }
    set { stepInProgress.withLock { $0 = newValue } }
  }

  /// Starts the thread that waits for a signal, then sets the handlers. Call this once.
  ///
  /// - Parameter cancel: cancels the command.
  @MainActor
  static func handle(_ cancel: @escaping @Sendable () -> Void) {
    let reading = signalPipe.reading
    guard reading >= 0 else { return }
    Thread.detachNewThread {
      var number: UInt8 = 0
      while case let count = read(reading, &number, 1), count != 1 {
        guard count < 0, errno == EINTR else { return }
      }
      received.withLock { $0 = Int32(number) }
      if let step { Console.note("Interrupted while \(step).") }
      cancel()
      Thread.sleep(forTimeInterval: patience)
      Console.status(nil)
      Console.flush()
      // Shells use the same status for a process that a signal ended.
      _exit(128 + Int32(number))
    }
    // A signal that the parent process ignores, as `nohup` does, stays ignored.
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    for number in [SIGINT, SIGTERM, SIGHUP] where unsafeBitCast(signal(number, SIG_IGN), to: Int.self) != ignored {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe.writing, &byte, 1)
      }
    }
  }
}
