import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What Foundation tells of a transfer, one event after the other.
extension FoundationTransfer {
  /// A head has come. Those with 1xx come before the one that counts, and what Foundation makes of trailers after it.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return }
    let head = WebServiceResponse(response, method: request.method, url: request.url)
    guard head.headers.count <= WebServiceResponse.fieldLimit else {
      return end(hops: false) { $0.failure(.tooLarge, WebServiceResponse.tooManyFields) }
    }
    var isFirst = false
    var sink: FoundationSink?
    var timers: FoundationTimers?
    _ = whileRunning { state in
      timers = state.timers
      guard state.head == nil else { return }
      isFirst = true
      state.head = head
      state.firstByte = MonotonicTime.seconds
      let length = response.expectedContentLength
      state.progress.expectedToReceive = head.headers["Content-Length"] != nil && length >= 0 ? length : nil
      sink = state.sink
    }
    if isFirst, response.hasMalformedLength {
      return end(hops: false) { $0.failure(.badFraming, "the answer's length is no number, or several") }
    }
    if isFirst, response.statusCode == 101 {
      return end(hops: false) { $0.failure(.badFraming, "the server switched protocols (101), which nobody asked for") }
    }
    timers?.touch()
    if isFirst { sink?.begin(head) }
    #if canImport(Darwin)
      if isFirst { boundRedirect(head) }
    #endif
  }

  /// Has the body of a redirect that is followed hold nothing up. On Linux Foundation tells of a redirect only when its
  /// body has come whole.
  private func boundRedirect(_ head: WebServiceResponse) {
    guard request.followsRedirects, Redirect.statusCodes.contains(head.statusCode), head.headers["Location"] != nil
    else { return }
    let length = head.headers["Content-Length"].flatMap { Int64($0) } ?? 0
    guard length <= RedirectBody.limit else { return endRedirect(hops: false) }
    let timer = SystemClock.shared.schedule(after: RedirectBody.patience) { [weak self] in self?.endRedirect(hops: true)
    }
    if !whileRunning({ $0.redirectTimer = timer }) { timer.cancel() }
  }

  private func endRedirect(hops: Bool) {
    end(hops: hops) { state in
      state.response.map { .success($0) } ?? state.failure(.other, "the redirect has no head")
    }
  }

  func received(_ data: Data) {
    var limit: Int?
    if case .memory(let bytes) = request.destination { limit = max(0, bytes) }
    var isTooLarge = false
    var running: State?
    _ = whileRunning { state in
      state.progress.received += Int64(data.count)
      if let limit {
        isTooLarge = data.count > limit - state.body.count
        state.body.append(isTooLarge ? data.prefix(limit - state.body.count) : data)
      }
      running = State(
        timers: state.timers, sink: state.sink, progress: state.progress, redirectTimer: state.redirectTimer)
    }
    guard let running else { return }
    if running.redirectTimer != nil, running.progress.received > RedirectBody.limit { return endRedirect(hops: false) }
    if let limit, isTooLarge {
      return end(hops: false) { .failure(.tooLarge(limit: limit, response: $0.response)) }
    }
    running.timers?.touch()
    request.onProgress?(running.progress)
    if let sink = running.sink, sink.add(data) > FoundationSink.limit { suspend() }
  }

  func sent(_ count: Int64) {
    var running: State?
    _ = whileRunning { state in
      state.progress.sent = count
      running = State(timers: state.timers, progress: state.progress)
    }
    running?.timers?.touch()
    if let running { request.onProgress?(running.progress) }
  }

  func measured(_ metrics: TransportMetrics) {
    _ = whileRunning { $0.metrics = metrics }
  }

  /// Foundation is done with the transfer.
  func completed(with error: (any Error)?, response: URLResponse?) {
    // Of some redirects Foundation tells the head only here.
    if error == nil, let response { received(response) }
    var sink: FoundationSink?
    let isRunning = whileRunning { state in
      state.phase = .draining
      state.task = nil
      sink = state.sink
    }
    guard isRunning else { return }
    let conclude: @Sendable () -> Void = { self.end(hops: false) { $0.conclusion(error) } }
    if let sink { sink.whenDrained(conclude) } else { conclude() }
  }

  /// Whether the response's taker has something to take.
  func sinkIsBusy(_ isBusy: Bool) {
    let (timers, task) = state.withLock { state in
      let task = !isBusy && state.isSuspended ? state.task : nil
      if task != nil { state.isSuspended = false }
      return (state.timers, task)
    }
    timers?.hold(isBusy)
    task?.resume()
  }

  /// Has the server wait. On Linux a task that was suspended starts over and gives its bytes twice.
  private func suspend() {
    #if canImport(Darwin)
      var task: URLSessionDataTask?
      _ = whileRunning { state in
        guard !state.isSuspended else { return }
        state.isSuspended = true
        task = state.task
      }
      task?.suspend()
    #endif
  }
}

extension FoundationTransfer.State {
  fileprivate func conclusion(_ error: (any Error)?) -> Result<WebServiceResponse, TransportError> {
    let response = response
    if let error { return .failure(TransportError(sessionError: error, response: response)) }
    guard let response else {
      return .failure(
        TransportError(.notHTTPResponse, message: "no HTTP response came", mayHaveReachedServer: true))
    }
    return .success(response)
  }
}
