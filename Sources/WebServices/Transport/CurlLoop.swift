#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Drives libcurl: executes commands, lets libcurl work when a descriptor is ready or a timer fires, and ends
  /// transfers.
  ///
  /// The session's thread alone uses the loop, also in callbacks of libcurl, once the thread that made the loop has
  /// passed it on with `driver`'s lock held. The variables are unchecked, because no access lasts while libcurl or
  /// another function is called.
  final class CurlLoop: @unchecked Sendable {
    let configuration: TransportConfiguration
    /// Whether libcurl calls back before each request goes out on a connection (7.80).
    let hasPrerequest: Bool
    let proxy: CurlProxySettings
    /// `nil` if libcurl's defaults are trusted.
    let trust: CurlTrust?
    let driver: CurlDriver
    let poller: CurlPoller
    let multi: UnsafeMutableRawPointer

    /// The clock's time, read at the beginning of a turn and of each of its rounds.
    @exclusivity(unchecked) var now = CurlLoop.readClock()
    /// By descriptor. The system gives out small numbers, so an array is faster than a dictionary.
    @exclusivity(unchecked) var sockets: [CurlSocket] = []
    /// The number of connections that the loop has opened.
    @exclusivity(unchecked) var lastConnection = 0
    /// The number of connections that are open.
    @exclusivity(unchecked) var openCount = 0
    /// When a kept connection was last found to have ended.
    @exclusivity(unchecked) var lastKeptEnd: UInt64 = 0
    /// Whether libcurl has moved no byte of a body since a descriptor became ready to be written.
    @exclusivity(unchecked) var isVain = false
    /// Descriptors whose events may have to be told to the poller before the thread sleeps.
    @exclusivity(unchecked) var changed: [Int32] = []
    /// Memory for the descriptors that the poller reports within a turn.
    @exclusivity(unchecked) var found = [CurlShimReady](repeating: CurlShimReady(), count: CurlPoller.batch)
    /// Whether libcurl has been given a request for which it hasn't chosen a connection yet.
    @exclusivity(unchecked) var isChoosing = false
    /// All transfers that haven't ended, also those that wait, in no order. Each knows its index.
    @exclusivity(unchecked) var transfers: [CurlTransfer] = []
    /// No deadline of a transfer is earlier. Most transfers end before their deadlines, so checking all transfers at
    /// this time costs less than keeping the deadlines sorted.
    @exclusivity(unchecked) var nextLook = UInt64.max
    /// By scheme, host and port.
    @exclusivity(unchecked) var origins: [String: CurlOrigin<CurlTransfer>] = [:]
    /// Origins whose waiting transfers may start.
    @exclusivity(unchecked) var changedOrigins: [CurlOrigin<CurlTransfer>] = []
    /// Handles for later transfers. The options that all transfers share are already set.
    @exclusivity(unchecked) var unusedHandles: [CurlHandle] = []
    /// Handles that still resolve a name although their transfers have ended.
    @exclusivity(unchecked) var orphans: [ObjectIdentifier: CurlHandle] = [:]
    /// Transfers that have ended, and whose completions weren't called yet. The driver calls them after the turn.
    @exclusivity(unchecked) var endings: [Ending] = []
    typealias Ending = (transfer: CurlTransfer, result: Result<WebServiceResponse, TransportError>)
    /// Transfers that libcurl has to continue in the next turn. Their decoding was interrupted, so that others have
    /// their turn, their response began before the end of their body, or an address of their host has failed.
    @exclusivity(unchecked) var interrupted: [CurlTransfer] = []
    @exclusivity(unchecked) private var commands: [DriverCommand] = []
    /// When the last transfer ended.
    @exclusivity(unchecked) var lastEnd = CurlLoop.readClock()
    /// When libcurl wants to be called; `.max` for never.
    @exclusivity(unchecked) private var timer = UInt64.max

    /// `nil` if libcurl has no memory, or refuses a callback that every transfer needs.
    init?(
      _ configuration: TransportConfiguration, hasPrerequest: Bool, proxy: CurlProxySettings,
      trust: CurlTrust?, driver: CurlDriver, poller: CurlPoller
    ) {
      guard let multi = curlShimMultiInit() else { return nil }
      self.multi = multi
      self.configuration = configuration
      self.hasPrerequest = hasPrerequest
      self.proxy = proxy
      self.trust = trust
      self.driver = driver
      self.poller = poller
      // A refusal of these is harmless: `origins` keep the limit too.
      func set(_ option: Int, _ value: Int) { _ = curlShimMultiSetLong(multi, Int32(option), value) }
      // For libcurl, all `http` URLs behind a proxy have one host, and from 8.21 on all URLs behind a Unix socket.
      // Transfers that wait in libcurl would time out.
      if proxy.plain.isEmpty, configuration.unixSocketPath == nil {
        set(curlMultiOptionMaximumHostConnections, configuration.connectionsPerHost)
      }
      // The loop keeps the limit `mostKept`. Until 8.11, libcurl never forgets the host of a connection that it closes
      // to make room, and looks at all such hosts each time.
      set(curlMultiOptionMaximumConnects, Int(Int32.max))
      // libcurl's own limit of 100 would open a second connection although the server allows more streams.
      set(curlMultiOptionMaximumStreams, CurlOrigin<CurlTransfer>.streams)
      // From 8.20 on, libcurl looks up 20 names at a time. Slow ones would hold up all others.
      set(curlMultiOptionLookupThreads, Int(Int32.max))
      let areSet = curlShimMultiSetCallbacks(
        multi,
        { easy, descriptor, what, context, _ in
          CurlLoop.of(context)?.watch(descriptor, for: Int(what), easy: easy)
          return 0
        },
        { _, milliseconds, context in
          CurlLoop.of(context)?.setTimer(milliseconds)
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
      guard !areSet else { return }
      curlShimMultiCleanup(multi)
      return nil
    }

    /// The loop of a callback's context, which retains nothing.
    static func of(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
      context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The most connections and the most handles that are kept for later transfers.
    static var mostKept: Int { 256 }

    /// Nanoseconds of the system's monotonic clock.
    static func readClock() -> UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: The loop

    /// Lets libcurl continue with these descriptors, and executes the commands. Then complete the endings.
    func turn(_ ready: ArraySlice<CurlShimReady> = []) {
      now = CurlLoop.readClock()
      for entry in ready { handle(entry.mask, on: entry.descriptor) }
      continueInterrupted()
      driver.swapCommands(with: &commands)
      commands.forEach(execute)
      commands.removeAll(keepingCapacity: true)
      // Each step may make work for the one after it: libcurl ends transfers, and others get their places.
      // libcurl 8 is due again while bytes keep coming, so descriptors and commands have their turn in between.
      for _ in 0..<16 {
        // A request that has just begun must not count as idle since the beginning of the turn.
        now = CurlLoop.readClock()
        fireTimer()
        endOverdue()
        reap()
        startNext()
        guard timer <= now else { break }
      }
      // While the server holds an upload up, libcurl 8.9 is due again all the time.
      if timer <= now { timer = now + 1_000_000 }
      watchChanged()
    }

    /// When the loop has to turn, if nothing happens until then; `.max` for never. While a transfer is interrupted, the
    /// loop turns at once: descriptors that are ready have their turn too.
    var due: UInt64 { interrupted.isEmpty ? min(timer, nextLook, unusedEnd) : 0 }

    /// When all kept connections are too old for another transfer, unless one runs. libcurl closes none before
    /// the next transfer.
    var unusedEnd: UInt64 {
      transfers.isEmpty ? lastEnd + UInt64(configuration.idleConnectionLifetime * 1_000_000_000) : .max
    }

    // MARK: libcurl's timer

    /// libcurl tells when it wants to be called; -1 for never.
    func setTimer(_ milliseconds: Int) {
      // A 0 is due in this turn, although `now` is earlier than the clock.
      let start = milliseconds > 0 ? CurlLoop.readClock() : 0
      timer = milliseconds < 0 ? .max : start + UInt64(milliseconds) * 1_000_000
      // libcurl then continues a transfer without an event, such as an upload that was paused. The upload may share a
      // connection on which the server holds up another one, and its next bytes need the event.
      for descriptor in changed { sockets[Int(descriptor)].vainWrites = 0 }
    }

    /// Calls libcurl if the time for which it asked has come.
    func fireTimer() {
      guard timer <= now else { return }
      // libcurl sets its next time during the call, also if the call came too early.
      timer = .max
      continueLibcurl(on: Int32(curlSocketTimeout), 0)
    }

    // MARK: The end

    /// Frees everything. No other method is called afterwards.
    func tearDown() {
      // libcurl wants all easy handles removed before the multi handle is freed.
      for handle in orphans.values { curlShimMultiRemove(multi, handle.easy) }
      orphans.removeAll()
      sockets.indices.forEach { sockets[$0].handle = nil }
      unusedHandles.removeAll()
      // libcurl now closes its kept connections, and the callback removes them from the poller.
      curlShimMultiCleanup(multi)
    }
  }
#endif
