#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The state of one transfer, from its admission to its end. Only the thread that drives libcurl uses it.
  ///
  /// The variables that each line of a response uses are unchecked: no access lasts while a function is called, and the
  /// checks would cost as much as the rest of the work.
  final class CurlTransfer {
    let task: CurlTask
    let plan: CurlRequestPlan
    /// The place in the loop's `transfers`.
    @exclusivity(unchecked) var index = 0
    /// The handle that the transfer runs on; `nil` while it waits or opens its body.
    @exclusivity(unchecked) var handle: CurlHandle?
    /// Reads the request's body ahead; `nil` for a body in memory.
    var source: CurlBodySource?
    /// Passes the response to a receiver, one piece at a time; `nil` for a response in memory.
    let gate: ReceiverGate?

    /// The origin to which the transfer runs or waits; `nil` at the end.
    @exclusivity(unchecked) var origin: CurlOrigin<CurlTransfer>?

    /// When the task was resumed, in nanoseconds.
    let start: UInt64
    /// When a byte was last sent or received.
    @exclusivity(unchecked) var lastActivity: UInt64
    /// How many bytes libcurl had sent and received by its last count.
    var countedBytes: Int64 = 0

    @exclusivity(unchecked) var head = CurlHead()
    @exclusivity(unchecked) var body = Data()
    /// Bytes of content received, after decoding.
    @exclusivity(unchecked) var byteCount = 0
    /// When the wait for the body of a followed redirect ends, in nanoseconds; `.max` for all other responses.
    @exclusivity(unchecked) var redirectDeadline = UInt64.max
    /// The decoder of coded content; `nil` for other content.
    @exclusivity(unchecked) var decoder: ContentDecoder?
    var isDecoding: Bool { decoder != nil }
    /// How often libcurl was about to send the request.
    @exclusivity(unchecked) var requestCount = 0
    /// Whether libcurl wanted to send the request again, because its kept connection was closed.
    var wantedNewConnection: Bool { requestCount > 1 }
    /// Why the library ends the transfer; `nil` if libcurl's code decides.
    @exclusivity(unchecked) private(set) var failure: TransportError?

    /// Whether the transfer has a connection, over which its request goes out.
    @exclusivity(unchecked) var hasOpened = false
    /// Until when other transfers wait for this one's connection, or its response; `.max` where none does.
    @exclusivity(unchecked) var openingDeadline = UInt64.max
    /// Whether the response is complete although libcurl hasn't ended the transfer. Either enough of a redirect's body
    /// has arrived, or libcurl began to send the request again.
    @exclusivity(unchecked) var hasResponse = false
    /// Whether libcurl has named the descriptor of the transfer's connection.
    @exclusivity(unchecked) var isWatched = false
    /// The directions that wait: `curlPauseReceiving` for the receiver, `curlPauseSending` for the body's source.
    @exclusivity(unchecked) var paused = 0
    /// Bytes of the body handed to libcurl.
    var sentCount: Int64 = 0
    private var reported: TransportRequest.Progress?

    init(_ task: CurlTask, plan: CurlRequestPlan, now: UInt64) {
      self.task = task
      self.plan = plan
      gate = task.request.receiver.map { ReceiverGate($0) }
      start = now
      lastActivity = now
    }

    /// The number of bytes in the request's body; `nil` if it isn't known.
    var bodyLength: Int64? {
      task.request.body.data.map { Int64($0.count) } ?? source?.length
    }

    /// Whether the response is a redirect that is followed.
    var isFollowed: Bool {
      task.request.followsRedirects && head.headers.redirectLocation(status: head.statusCode) != nil
    }

    /// Notes why the transfer fails. The next callback of libcurl ends it. The first failure counts.
    func fail(_ error: TransportError) {
      if failure == nil { failure = error }
    }

    func fail(_ kind: TransportError.Kind, _ message: String) { fail(.sent(kind, message)) }

    /// Reports progress to the caller, if there is any since the last report.
    func reportProgress(received: Int64, sent: Int64) {
      guard let report = task.request.onProgress else { return }
      let progress = TransportRequest.Progress(
        sent: sent, expectedToSend: bodyLength, received: received,
        expectedToReceive: plan.shape == .headOnly ? nil : head.contentLength)
      guard progress != reported else { return }
      reported = progress
      report(progress)
    }

    // MARK: The result

    /// The part of the response that has arrived; `nil` before the end of its head.
    func response(metrics: WebServiceResponse.Metrics?) -> WebServiceResponse? {
      guard head.isComplete else { return nil }
      var headers = head.headers
      if isDecoding { headers.removeDecoded() }
      var response = WebServiceResponse(
        statusCode: head.statusCode, headers: headers, url: task.request.urlForm, body: body, metrics: metrics)
      // Each change of a response makes a new object, so the usual value isn't set.
      if isDecoding { response.isDecoded = true }
      return response
    }

    /// The result of the transfer. Call this before the handle is released, because the handle has libcurl's figures.
    func result(code: Int) -> Result<WebServiceResponse, TransportError> {
      let metrics = handle?.metrics
      let response = response(metrics: metrics)
      if var error = failure {
        error.mayHaveReachedServer = wasSent
        error.response = response
        error.isStaleConnection = wantedNewConnection
        return .failure(error)
      }
      if code == 0 || hasResponse, let response {
        if let metrics { reportProgress(received: metrics.bytesReceived, sent: metrics.bytesSent) }
        return .success(response)
      }
      guard code != 0 else {
        // libcurl reports success for a head that breaks off, as for a response without content.
        return .failure(
          TransportError(
            .connectionLost, message: "the connection was closed within the head", mayHaveReachedServer: wasSent))
      }
      let failure = CurlFailure(
        code: code, message: handle?.message(code: Int32(code)) ?? "", systemError: handle?.systemError ?? 0,
        unixSocketPath: handle?.loop.configuration.unixSocketPath, wasSent: wasSent, hasHead: head.isComplete)
      var error = failure.error(response: response)
      error.isStaleConnection = error.kind == .connectionLost && handle?.isReused == true && !head.hasBegun
      return .failure(error)
    }

    /// Whether a byte of the request was written to a connection to the server.
    private var wasSent: Bool {
      guard let handle else { return false }
      // libcurl's size includes a CONNECT to a proxy. The server has nothing before `requestCount` is counted.
      return handle.requestSize > 0 && (requestCount > 0 || !handle.loop.hasPrerequest)
    }
  }
#endif
