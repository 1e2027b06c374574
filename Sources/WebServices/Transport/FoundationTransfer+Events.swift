import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's events of a transfer. The session's serial queue delivers them one after the other.
extension FoundationTransfer {
  /// The number of bytes waiting for the receiver at which the task is suspended. Linux can't suspend a task.
  private static var pendingLimit: Int { 2 * 1024 * 1024 }

  /// Receives a head. Interim heads (1xx) come before the final one, and Foundation may repeat a head for trailers.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return }
    let head = WebServiceResponse(response, method: request.method, url: request.url)
    guard head.headers.count <= WebServiceResponse.fieldLimit
    else { return fail(.tooLarge, WebServiceResponse.tooManyFields) }
    let isFirst = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      guard state.head == nil else { return false }
      state.head = head
      state.firstByte = state.lastActivity
      let length = response.expectedContentLength
      state.progress.expectedToReceive = head.headers["Content-Length"] != nil && length >= 0 ? length : nil
      return true
    }
    guard isFirst == true else { return }
    if let length = response.value(forHTTPHeaderField: "Content-Length"), length.announcedLength == nil {
      return fail(.badFraming, "the response's length is invalid, or there are several")
    }
    if response.statusCode == 101 {
      return fail(.badFraming, "the server switched protocols (101) without a request to do so")
    }
    gate?.begin(head)
    guard request.followsRedirects, head.headers.redirectLocation(status: head.statusCode) != nil else { return }
    // The body of a redirect that is followed delays the next request by a moment at most.
    guard head.headers["Content-Length"].flatMap({ Int($0) }) ?? 0 <= RedirectBody.limit
    else { return end(hops: false) { $0.success } }
    whileRunning { $0.redirectDeadline = $0.lastActivity + RedirectBody.longestWait }
    watchTimeouts()
  }

  func received(_ data: Data) {
    let limit = gate == nil ? max(0, request.responseLimit) : nil
    let change = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      // Bytes above the limit aren't stored. The failure has the body up to the limit.
      state.progress.received += Int64(data.count)
      let room = limit.map { $0 - state.body.count } ?? data.count
      if limit != nil { state.body.append(data.prefix(room)) }
      return (state.progress, isTooLarge: data.count > room, isRedirect: state.redirectDeadline.isFinite)
    }
    guard let (progress, isTooLarge, isRedirect) = change else { return }
    if isRedirect, progress.received > RedirectBody.limit { return end(hops: false) { $0.success } }
    if isTooLarge, let limit { return end(hops: false) { .failure(.tooLarge(limit: limit, response: $0.response)) } }
    request.onProgress?(progress)
    if let gate, gate.add(data) > Self.pendingLimit { suspend() }
  }

  func sent(_ count: Int64) {
    let progress = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      state.progress.sent = count
      return state.progress
    }
    if let progress { request.onProgress?(progress) }
  }

  /// Ends the transfer after Foundation has, and after the receiver has read the rest.
  func completed(with error: (any Error)?, response: URLResponse?) {
    // For some redirects Foundation reports the head only here.
    if error == nil, let response { received(response) }
    let isRunning: Void? = whileRunning { state in
      state.phase = .draining
      state.task = nil
    }
    guard isRunning != nil else { return }
    let end: @Sendable () -> Void = {
      self.end(hops: false) { state in
        error.map { .failure(TransportError(sessionError: $0, response: state.response)) } ?? state.success
      }
    }
    if gate?.isIdle(orCall: end) ?? true { end() }
  }

  /// Suspends the task, so that the server waits for a slow receiver. Does nothing on Linux, where a suspended task
  /// would start over and deliver its bytes twice.
  private func suspend() {
    guard Platform.foundation == .apple else { return }
    let task = whileRunning { state in
      defer { state.isSuspended = true }
      return state.isSuspended ? nil : state.task
    }
    task??.suspend()
  }
}
