#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Drives libcurl: takes commands, lets libcurl work when a descriptor is ready or a timer ran out, and ends transfers
  /// that are over.
  ///
  /// `driver` has one thread at a time make and use all of it, and its lock hands everything on to the next thread.
  final class CurlLoop: @unchecked Sendable {
    let configuration: TransportConfiguration
    let features: CurlLibrary.Features
    let proxy: CurlProxySettings
    let trust: CurlTrust
    let driver: CurlDriver
    let waker: CurlWaker
    let multi: UnsafeMutableRawPointer

    /// Nanoseconds of a clock that never goes back, as of the last look.
    var now = CurlLoop.readClock()
    var sockets: [CurlSocket] = []
    /// Descriptors that libcurl waits for and the poller isn't watching yet.
    var unwatched: [Int32] = []
    /// Descriptors of connections that libcurl keeps between two HTTP/1 transfers.
    var kept: Set<Int32> = []
    /// Whether libcurl has been given a request for which it hasn't chosen a connection yet.
    var isChoosing = false
    var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// No deadline of a transfer is earlier. Most transfers end before their deadlines: looking at all transfers at this
    /// time costs less than keeping the deadlines sorted.
    var nextLook = UInt64.max
    var admission: CurlAdmission<CurlTransfer>
    /// Hosts whose held transfers may go on.
    var opened: [CurlAdmission<CurlTransfer>.Origin] = []
    var unusedHandles: [CurlHandle] = []
    /// Handles that wait for a look-up whose transfer has been given up.
    var orphans: [ObjectIdentifier: CurlHandle] = [:]
    /// Transfers that are over, and whose owners don't know yet.
    var endings: [CurlEnding] = []
    /// Memory for decoded content, before it is copied to its taker.
    private(set) lazy var decoded = CurlScratch(size: ContentDecoder.pieceSize)
    /// Transfers with content to decode that had to leave off, so that others have their turn.
    var decoding: [CurlTransfer] = []
    private var commands: [DriverCommand] = []
    /// When libcurl wants to be called.
    private var timer: UInt64?
    /// When the waker wakes a thread by itself.
    private var alarm = UInt64.max

    /// `nil` where libcurl refuses what no transfer could do without.
    init?(
      _ configuration: TransportConfiguration, features: CurlLibrary.Features, proxy: CurlProxySettings,
      trust: CurlTrust, driver: CurlDriver, waker: CurlWaker
    ) {
      guard let multi = curlShimMultiInit() else { return nil }
      self.multi = multi
      self.configuration = configuration
      self.features = features
      self.proxy = proxy
      self.trust = trust
      self.driver = driver
      self.waker = waker
      admission = CurlAdmission(
        limitPerOrigin: max(1, configuration.connectionsPerHost), limit: max(1, configuration.connections))
      // A refusal of these is harmless: `admission` keeps the limits too, and HTTP/2 is switched off by its version.
      func set(_ option: Int, _ value: Int) { _ = curlShimMultiSetLong(multi, Int32(option), value) }
      let multiplex = 2
      set(curlMultiOptionMultiplexing, configuration.isHTTP2Enabled ? multiplex : 0)
      set(curlMultiOptionMaximumHostConnections, admission.limitPerOrigin)
      set(curlMultiOptionMaximumConnections, admission.limit)
      set(curlMultiOptionMaximumConnects, admission.limit)
      guard CurlCallbacks.install(on: self) else {
        curlShimMultiCleanup(multi)
        return nil
      }
    }

    /// Whether servers over TLS may choose HTTP/2.
    var offersHTTP2: Bool { configuration.isHTTP2Enabled && features.hasHTTP2 }

    static func readClock() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: The loop

    /// Takes the commands and lets libcurl go as far as it can without waiting.
    ///
    /// - Parameter most: how often it looks for more on the descriptors that it has served.
    func turn(rounds most: Int) {
      now = CurlLoop.readClock()
      takeCommands()
      goOnDecoding()
      var rounds = 0
      repeat {
        fireTimer()
        endOverdue()
        reap()
        startNext()
        rounds += 1
      } while (timer ?? .max) <= now || watch(asking: rounds < most)
      setAlarm()
    }

    private func takeCommands() {
      driver.take(into: &commands)
      for command in commands {
        take(command)
      }
      commands.removeAll(keepingCapacity: true)
    }

    /// Has the waker wake a thread when the next deadline comes. A thread that is woken too early finds nothing to do.
    /// While content is left to decode, the waker wakes a thread at once: other descriptors may be ready, too.
    private func setAlarm() {
      if alarm <= now { alarm = .max }
      let next = decoding.isEmpty ? min(timer ?? .max, nextLook) : now
      guard next < alarm else { return }
      alarm = next
      waker.wake(at: next)
    }

    // MARK: libcurl's timer

    func setTimer(_ milliseconds: Int) {
      timer = milliseconds < 0 ? nil : CurlLoop.readClock() + UInt64(milliseconds) * 1_000_000
      if milliseconds == 0 { timer = 0 }
    }

    func fireTimer() {
      guard let due = timer, due <= now else { return }
      timer = nil
      act(on: Int32(curlSocketTimeout), 0)
      // libcurl doesn't set the same time twice; asked early, it would never be asked again.
      if timer == nil {
        let left = curlShimMultiTimeout(multi)
        if left >= 0 { setTimer(max(left, 1)) }
      }
    }

    // MARK: The end

    /// Lets go of everything; no call of another method comes after this one.
    func tearDown() {
      for handle in orphans.values { curlShimMultiRemove(multi, handle.easy) }
      orphans.removeAll()
      sockets.indices.forEach { sockets[$0].handle = nil }
      unusedHandles.removeAll()
      curlShimMultiCleanup(multi)
      waker.close()
    }
  }

  /// Memory that is used for a moment at a time.
  final class CurlScratch {
    let bytes: UnsafeMutableRawBufferPointer

    init(size: Int) {
      bytes = .allocate(byteCount: size, alignment: 16)
    }

    deinit {
      bytes.deallocate()
    }
  }

  /// How a transfer ended.
  struct CurlEnding {
    let task: CurlTask
    let result: Result<WebServiceResponse, TransportError>
  }
#endif
