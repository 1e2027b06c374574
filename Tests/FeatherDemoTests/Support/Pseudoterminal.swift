import Foundation
import WebServices

/// A terminal without a screen. A test reads the process's output here.
final class Pseudoterminal: Sendable {
  struct Unavailable: Error {}

  /// The terminal's end for the process's standard streams.
  let handle: FileHandle
  private let master: Int32
  private let shown = Locked(Data())

  /// - Parameter columns: the terminal's width; 0 means that the terminal reports none.
  init(columns: UInt16 = 0) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Unavailable() }
    self.master = master
    handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    // A process that another test starts must not inherit either end.
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(master)
  }

  /// The output of the process so far.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(master, &bytes, bytes.count), count > 0 {
      shown.withLock { $0.append(contentsOf: bytes.prefix(count)) }
    }
    return String(decoding: shown.withLock { $0 }, as: UTF8.self)
  }

  /// Waits until the condition is met; `false` if it isn't met within half a minute.
  func wait(until isMet: @Sendable (Pseudoterminal) -> Bool) async throws -> Bool {
    for _ in 0..<3_000 {
      if isMet(self) { return true }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    return false
  }
}
