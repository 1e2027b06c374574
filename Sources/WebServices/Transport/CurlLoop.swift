#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Drives libcurl: executes commands, lets libcurl work when a descriptor is ready or a timer fires, and ends
  /// transfers.
  ///
  /// The driving thread calls `turn`, and then takes `lastCompletion`. `driver` lets one thread at a time use the
  /// loop, and its lock passes the state to the next one. Callbacks of libcurl use the same thread.
  final class CurlLoop: @unchecked Sendable {
    let configuration: TransportConfiguration
    /// Whether libcurl calls back before each request goes out on a connection (7.80).
    let hasPrerequest: Bool
    let proxy: CurlProxySettings
    /// `nil` if libcurl's defaults are trusted.
    let trust: CurlTrust?
    let driver: CurlDriver
    let waker: CurlWaker
    let multi: UnsafeMutableRawPointer

    /// The clock's time, read once a turn and for each batch of ready descriptors.
    var now = CurlLoop.readClock()
    /// By descriptor. The system gives out small numbers, so an array is faster than a dictionary.
    var sockets: [CurlSocket] = []
    /// Descriptors that libcurl waits for, and some that it no longer waits for, which `updateListed` removes.
    var listed: [Int32] = []
    /// Descriptors of connections that libcurl keeps between two HTTP/1 transfers.
    var kept: Set<Int32> = []
    /// Whether libcurl has been given a request for which it hasn't chosen a connection yet.
    var isChoosing = false
    /// All transfers that haven't ended, also those that wait, by their tasks.
    var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// No deadline of a transfer is earlier. Most transfers end before their deadlines, so checking all transfers at
    /// this time costs less than keeping the deadlines sorted.
    var nextLook = UInt64.max
    /// By scheme, host and port.
    var origins: [String: CurlOrigin<CurlTransfer>] = [:]
    /// Origins whose waiting transfers may start.
    var changedOrigins: [CurlOrigin<CurlTransfer>] = []
    /// Handles for later transfers. The options that all transfers share are already set.
    var unusedHandles: [CurlHandle] = []
    /// Handles that still resolve a name although their transfers have ended.
    var orphans: [ObjectIdentifier: CurlHandle] = [:]
    /// Transfers that have ended, and whose completions weren't called yet.
    var endings: [(task: CurlTask, result: Result<WebServiceResponse, TransportError>)] = []
    /// Transfers whose decoding was interrupted, so that others have their turn.
    var decoding: [CurlTransfer] = []
    /// The completion of the transfer that ended last, which the driving thread may run itself after it has stopped.
    var lastCompletion: InlineCompletion.Work?
    private var commands: [DriverCommand] = []
    /// When libcurl wants to be called; `nil` for never.
    private var timer: UInt64?
    /// When the waker's timer wakes a thread.
    private var alarm = UInt64.max

    /// `nil` if libcurl has no memory, or refuses a callback that every transfer needs.
    init?(
      _ configuration: TransportConfiguration, hasPrerequest: Bool, proxy: CurlProxySettings,
      trust: CurlTrust?, driver: CurlDriver, waker: CurlWaker
    ) {
      guard let multi = curlShimMultiInit() else { return nil }
      self.multi = multi
      self.configuration = configuration
      self.hasPrerequest = hasPrerequest
      self.proxy = proxy
      self.trust = trust
      self.driver = driver
      self.waker = waker
      // A refusal of these is harmless: `origins` keep the limits too, and HTTP/2 is switched off by its version.
      func set(_ option: Int, _ value: Int) { _ = curlShimMultiSetLong(multi, Int32(option), value) }
      // CURLPIPE_MULTIPLEX
      let multiplex = 2
      set(curlMultiOptionMultiplexing, configuration.isHTTP2Enabled ? multiplex : 0)
      set(curlMultiOptionMaximumHostConnections, configuration.connectionsPerHost)
      set(curlMultiOptionMaximumConnects, CurlLoop.mostKept)
      // libcurl's own limit of 100 would open a second connection although the server allows more streams.
      set(curlMultiOptionMaximumStreams, CurlOrigin<CurlTransfer>.streams)
      guard CurlCallbacks.install(on: self) else {
        curlShimMultiCleanup(multi)
        return nil
      }
    }

    /// The most connections and the most handles that are kept for later transfers.
    static var mostKept: Int { 256 }

    /// Nanoseconds of the clock that the waker's timers use. They never decrease.
    static func readClock() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: The loop

    /// Executes the commands, lets libcurl do what it can without waiting, and completes the transfers that end.
    ///
    /// - Parameter most: how often the loop asks the descriptors for more. The bound lets this thread run a completion
    ///   while another one drives.
    func turn(rounds most: Int) {
      now = CurlLoop.readClock()
      continueDecoding()
      var rounds = 0
      // Each step may make work for the one after it: libcurl ends transfers, and others get their places. Completions
      // leave in each round, so that other threads decode, and send the next requests, while this one reads more.
      repeat {
        executeCommands()
        fireTimer()
        endOverdue()
        reap()
        startNext()
        completeEndedTransfers()
        rounds += 1
      } while (timer ?? .max) <= now || handleReady(canAsk: rounds < most)
      setAlarm()
    }

    private func executeCommands() {
      driver.swapCommands(with: &commands)
      for command in commands {
        execute(command)
      }
      commands.removeAll(keepingCapacity: true)
    }

    /// Sets the waker's timer for the next deadline. The timer is never set later, which saves a call of the system for
    /// most requests. A thread that is woken too early finds nothing to do.
    ///
    /// While content is left to decode, the waker wakes a thread at once: other descriptors may be ready, too.
    private func setAlarm() {
      if alarm <= now { alarm = .max }
      let next = decoding.isEmpty ? min(timer ?? .max, nextLook) : now
      guard next < alarm else { return }
      alarm = next
      waker.wake(at: next)
    }

    // MARK: libcurl's timer

    /// libcurl tells when it wants to be called; -1 for never.
    func setTimer(_ milliseconds: Int) {
      timer = milliseconds < 0 ? nil : CurlLoop.readClock() + UInt64(milliseconds) * 1_000_000
      // Due in this turn, although `now` is earlier than the clock.
      if milliseconds == 0 { timer = 0 }
    }

    /// Calls libcurl if the time for which it asked has come.
    func fireTimer() {
      guard let due = timer, due <= now else { return }
      // libcurl may set a new time during the call.
      timer = nil
      continueLibcurl(on: Int32(curlSocketTimeout), 0)
      // libcurl doesn't report the same time twice (Curl_update_timer). If this call came too early for it, no other
      // call would follow. At least a millisecond passes, because the turn would not end otherwise.
      if timer == nil {
        let left = curlShimMultiTimeout(multi)
        if left >= 0 { setTimer(max(left, 1)) }
      }
    }

    // MARK: The end

    /// Frees everything. No other method is called afterwards.
    func tearDown() {
      // libcurl wants all easy handles removed before the multi handle is freed.
      for handle in orphans.values { curlShimMultiRemove(multi, handle.easy) }
      orphans.removeAll()
      sockets.indices.forEach { sockets[$0].handle = nil }
      unusedHandles.removeAll()
      // libcurl now closes its kept connections, and the callback removes them from the waker's poller.
      curlShimMultiCleanup(multi)
      waker.close()
    }
  }
#endif
