#if os(Linux)
  import Foundation

  /// Back pressure: how much of an answer is on its way to whoever takes it.
  ///
  /// `lock` guards all that varies.
  final class CurlGate: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int
    private var reopen: (@Sendable () -> Void)?
    private var pending = 0
    private var isBlocked = false

    /// - Parameters:
    ///   - limit: the bytes that may be on their way; one piece always may.
    ///   - reopen: called where the transport had to wait and needs no longer.
    init(limit: Int, reopen: @escaping @Sendable () -> Void) {
      self.limit = limit
      self.reopen = reopen
    }

    /// Whether a piece may pass; else `reopen` is called once it may.
    func enter(_ count: Int) -> Bool {
      lock.lock()
      defer { lock.unlock() }
      guard pending == 0 || pending + count <= limit else {
        isBlocked = true
        return false
      }
      pending += count
      return true
    }

    /// A piece has arrived.
    func leave(_ count: Int) {
      lock.lock()
      pending -= count
      let wasBlocked = isBlocked && pending <= limit / 2
      if wasBlocked { isBlocked = false }
      let reopen = wasBlocked ? reopen : nil
      lock.unlock()
      reopen?()
    }

    /// The exchange is over. A receiver that keeps the last `proceed` must not keep the exchange, and so itself.
    func close() {
      lock.lock()
      defer { lock.unlock() }
      reopen = nil
    }

    /// What says, once, that a piece has arrived; to call it again does nothing.
    func makeProceed(_ count: Int) -> @Sendable () -> Void {
      let once = CurlOnce()
      return {
        if once.take() { self.leave(count) }
      }
    }
  }

  /// Says yes once.
  ///
  /// `lock` guards `isTaken`.
  final class CurlOnce: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func take() -> Bool {
      lock.lock()
      defer { lock.unlock() }
      defer { isTaken = true }
      return !isTaken
    }
  }
#endif
