@testable import WebServicesTestSupport

/// A terminal without a screen. A test reads the process's output here.
final class Pseudoterminal: Sendable {
  /// The file to open as the process's standard streams.
  let path: String
  private let master: Int32
  /// Kept open, because a terminal that nobody has open forgets its size and its output.
  private let slave: Int32
  private let shown = Locked(Data())

  /// - Parameter columns: the terminal's width; 0 means that the terminal reports none.
  init(columns: UInt16 = 0) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    (self.master, self.slave) = (master, slave)
    // `ttyname` would return the same memory to two tests.
    var name = [CChar](repeating: 0, count: 64)
    try #require(ttyname_r(slave, &name, name.count) == 0)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    // A process that another test starts must not inherit either end.
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(master)
    close(slave)
  }

  /// The output of the process so far.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(master, &bytes, bytes.count), count > 0 {
      shown.withLock { $0.append(contentsOf: bytes.prefix(count)) }
    }
    return String(decoding: shown.withLock { $0 }, as: UTF8.self)
  }
}
