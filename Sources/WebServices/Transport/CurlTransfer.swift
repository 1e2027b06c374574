#if os(Linux)
  internal import CurlShim
  import Foundation

  /// One transfer of a `CurlSession`, from its task to its end. Call `resume()`, `cancel()` and `withdraw()` from any
  /// thread, any number of times.
  ///
  /// `driver`'s lock guards `state`, `wait` and `completion`. Only the thread that drives libcurl uses the other
  /// variables. They are unchecked: no access lasts while a function is called, and the checks would cost as much as
  /// the rest of the work on a line of a response.
  final class CurlTransfer: WithdrawableTask, DescriptionOnly, @unchecked Sendable {
    /// A state never goes back to an earlier one.
    enum State {
      /// `resume()` leads to `running`, or to `ended` if the request is refused. `cancel()` leads to `ended`.
      case prepared
      /// The loop has the transfer, or a command for it. `complete(_:)` leads to `ended`.
      case running
      /// No loop has the transfer. Its completion has run or is about to run.
      case ended
    }

    let request: TransportRequest
    let plan: CurlRequestPlan
    let driver: CurlDriver

    // MARK: Guarded by the driver's lock

    var state = State.prepared
    /// The reason why the request waits; `nil` once it may have been sent, or has been withdrawn and is never sent.
    private var wait: UnsentReason? = .connecting
    private var completion: HeldTask.Completion?

    // MARK: Used by the thread that drives

    /// The place in the loop's `transfers`; `nil` before and after.
    @exclusivity(unchecked) var index: Int?
    /// The handle that the transfer runs on; `nil` while it waits or opens its body.
    @exclusivity(unchecked) var handle: CurlHandle?
    /// Reads the request's body ahead; `nil` for a body in memory.
    @exclusivity(unchecked) var source: CurlBodySource?
    /// Passes the response to a receiver, one piece at a time; `nil` for a response in memory.
    let gate: ReceiverGate?

    /// The origin to which the transfer runs or waits; `nil` at the end.
    @exclusivity(unchecked) var origin: CurlOrigin<CurlTransfer>?

    /// When a byte was last sent or received.
    @exclusivity(unchecked) var lastActivity: UInt64 = 0
    /// How many bytes libcurl had sent and received by its last count.
    @exclusivity(unchecked) var countedBytes: Int64 = 0

    @exclusivity(unchecked) var head = CurlHead()
    @exclusivity(unchecked) var body = Data()
    /// Bytes of content received, before decoding.
    @exclusivity(unchecked) var codedCount: Int64 = 0
    /// Bytes of content received, after decoding.
    @exclusivity(unchecked) var byteCount = 0
    /// When the wait for a connection ends, or after `hasOpened` that for the body of a followed redirect, in
    /// nanoseconds. `.max` while there is no such wait.
    @exclusivity(unchecked) var waitDeadline = UInt64.max
    /// The decoder of coded content; `nil` for other content.
    @exclusivity(unchecked) var decoder: ContentDecoder?
    /// Why the library ends the transfer; `nil` if libcurl's code decides.
    @exclusivity(unchecked) private(set) var failure: TransportError?

    /// Whether the transfer has a connection, over which its request goes out.
    @exclusivity(unchecked) var hasOpened = false
    /// Until when other transfers wait for this one's connection, or its response; `.max` where none does.
    @exclusivity(unchecked) var openingDeadline = UInt64.max
    /// Whether the response is complete although libcurl hasn't ended the transfer. Either enough of a redirect's body
    /// has arrived, or libcurl began to send the request again.
    @exclusivity(unchecked) var hasResponse = false
    /// The directions that wait: `curlPauseReceiving` for the receiver, `curlPauseSending` for the body's source, or
    /// for the server's last bytes, which libcurl reads first.
    @exclusivity(unchecked) var paused = 0
    /// Whether the response has begun while the upload is paused. Even after a complete response, libcurl ends no
    /// transfer whose upload is paused.
    var respondsWhilePaused: Bool { head.isComplete && paused & curlPauseSending != 0 }
    /// Whether libcurl keeps content for later, on a connection of the transfer's own. libcurl must not read more then:
    /// it would fill the memory, and drop what it keeps when the connection breaks.
    var holdsBack: Bool { head.version == 1 && (paused & curlPauseReceiving != 0 || decoder?.isListed == true) }
    /// Bytes of the body handed to libcurl.
    @exclusivity(unchecked) var sentCount: Int64 = 0
    @exclusivity(unchecked) private var reported: TransportRequest.Progress?

    init(_ request: TransportRequest, session: CurlSession, completion: @escaping HeldTask.Completion) {
      self.request = request
      plan = CurlRequestPlan(request, defaults: session.configuration.timeouts, settingOfTLS: session.settingOfTLS)
      gate = request.receiver.map { ReceiverGate($0) }
      self.completion = completion
      driver = session.driver
    }

    /// Starts the request; later calls do nothing.
    func resume() {
      let error: TransportError? = driver.withLock {
        guard case .prepared = state else { return nil }
        state = .ended
        if let error = plan.refusal ?? driver.prepare() { return error }
        state = .running
        driver.runningCount += 1
        driver.append(.start(self))
        return nil
      }
      // A completion never runs inside the call that started the request.
      if let error { DispatchQueue.global().async { self.complete(.failure(error)) } }
    }

    /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
    func cancel() {
      let wasPrepared = driver.withLock {
        if case .running = state { driver.append(.end(self, .sent(.cancelled, "cancelled"))) }
        guard case .prepared = state else { return false }
        state = .ended
        return true
      }
      // No loop knows the transfer.
      guard wasPrepared else { return }
      DispatchQueue.global().async { self.complete(.failure(.unsent(.cancelled, "cancelled before the start"))) }
    }

    func withdraw() -> UnsentReason? {
      // One step under the lock: between a check and a cancel, the driving thread could begin to send.
      let reason = driver.withLock { completion == nil ? nil : wait.take() }
      if reason != nil { cancel() }
      return reason
    }

    /// The request without secrets. The plan has the secrets of the URL.
    var description: String { "\(request)" }

    // MARK: Called by the thread that drives

    /// Notes a new reason to wait.
    func wait(for wait: UnsentReason) { driver.withLock { if self.wait != nil { self.wait = wait } } }

    /// Notes that the request is about to go out. Called once.
    ///
    /// - Returns: `false` if the task was withdrawn. Nothing of the request may be sent then.
    func beginSending() -> Bool { driver.withLock { wait.take() != nil } }

    /// The number of bytes in the request's body; `nil` if it isn't known.
    var bodyLength: Int64? { request.body.data.map { Int64($0.count) } ?? source?.length }

    /// Content in the bytes sent. libcurl also counts the framing of chunks.
    func contentSent(_ count: Int64) -> Int64 { bodyLength == nil ? min(count, sentCount) : count }

    /// Whether the response is a redirect that is followed.
    var isFollowed: Bool { request.followsRedirects && head.headers.redirectLocation(status: head.statusCode) != nil }

    /// Notes why the transfer fails. The next callback of libcurl ends it. The first failure counts.
    func fail(_ error: TransportError) { if failure == nil { failure = error } }

    /// Reports progress to the caller, if there is any since the last report.
    func reportProgress(received: Int64, sent: Int64) {
      guard let report = request.onProgress else { return }
      let progress = TransportRequest.Progress(
        sent: sent, expectedToSend: bodyLength, received: received, expectedToReceive: head.contentLength)
      guard progress != reported else { return }
      reported = progress
      report(progress)
    }

    /// Ends the task and calls its completion. Later calls do nothing.
    func complete(_ result: Result<WebServiceResponse, TransportError>) {
      // Not returned by the closure: a function that passes a generic result is wrapped anew.
      var completion: HeldTask.Completion?
      driver.withLock {
        if state == .running { driver.runningCount -= 1 }
        state = .ended
        swap(&completion, &self.completion)
      }
      completion?(result)
    }
  }

  /// A checked request in the form that libcurl takes, made on the caller's thread.
  struct CurlRequestPlan: Sendable {
    /// The way in which libcurl sends the request.
    enum Shape: Equatable, Sendable {
      /// A head alone.
      case plain
      /// `HEAD`: libcurl expects no content.
      case headOnly
      /// A head and a body, also an empty one.
      case sending
    }

    /// Why the request isn't sent: a value that libcurl would change or drop. The other values have no meaning then.
    private(set) var refusal: TransportError?
    private(set) var target: HTTPURL?
    private(set) var shape = Shape.plain
    /// Nanoseconds; `nil` for no limit.
    private(set) var connectTimeout, idleTimeout: UInt64?

    /// - Parameters:
    ///   - defaults: the session's timeouts.
    ///   - settingOfTLS: the session's setting that demands TLS; `nil` for none.
    init(_ request: TransportRequest, defaults: TransportRequest.Timeouts, settingOfTLS: String?) {
      do throws(TransportError) {
        try request.checkHead()
        target = try request.checkedTarget(settingOfTLS: settingOfTLS)
        let timeouts = try request.timeouts.checked(defaults: defaults)
        connectTimeout = timeouts.connect.map { UInt64($0 * 1_000_000_000) }
        idleTimeout = timeouts.idle.map { UInt64($0 * 1_000_000_000) }
        let hasBody = if case .none = request.body { false } else { true }
        switch request.method {
        case .head where hasBody: throw .invalid("a HEAD request has no body")
        case .head: shape = .headOnly
        // Without a body these methods still send `Content-Length: 0` (RFC 9110, section 8.6).
        case .post, .put, .patch: shape = .sending
        default: shape = hasBody ? .sending : .plain
        }
      } catch { refusal = error }
    }
  }
#endif
