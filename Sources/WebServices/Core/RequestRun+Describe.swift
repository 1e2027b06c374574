import Foundation
internal import WebServicesTransport

extension RequestRun {
  /// Takes the request to `send` in one pass if nothing has to wait, on the caller's thread. Leaves the pass for the
  /// station that waits: for a network, a token or an app's signer. Another thread may interrupt the request meanwhile,
  /// which ends with the event that this returns.
  func prepare() -> Event {
    let credentials = credentialsAtOnce()
    let request: TransportRequest
    do throws(WebServiceError) { request = try describe(with: credentials) } catch { return .refused(error) }
    if !engine.monitors.isEmpty {
      let url = RequestEvent.RedactedURL(request.urlForm, redaction: engine.configuration.redaction)
      state.withLock { $0.describedURL = url }
      // Once for the service: the first request tells the monitors of the session that the library chose.
      if let chosen = engine.state.withLock({ $0.unreportedSession.take() }) {
        record(.sessionChosen(chosen.description, isFallback: chosen.isFallback))
      }
      record(.described)
    }
    let isOffline = isOffline(request)
    guard isOffline == false, credentials != nil || authorization.isNone else {
      return .described(request, isOffline: isOffline)
    }
    record(.authorized)
    return .prepared(request, credentials)
  }

  /// Makes the transport request from the caller's data, or fails with the reason.
  ///
  /// - Parameter credentials: attached to the request, unless the authorize station makes them.
  package func describe(with credentials: AttachedCredentials? = nil) throws(WebServiceError) -> TransportRequest {
    let method = data._method
    // Some transports would send CR and LF in a method as they are.
    guard method.isValid else { throw .invalid("the method contains a character that isn't allowed") }
    let timeouts = options.timeouts
    try checkTimeout(options.timeout ?? engine.configuration.timeout)
    try checkTimeout(timeouts.connect)
    try checkTimeout(timeouts.idle)
    var items = data._queryItems
    if let query = data._query {
      items += try encoding("query") { try engine.configuration.queryEncoder.encode(query) }
    }
    let url: HTTPURL
    do {
      url = try RequestURL.make(
        path: data.path, base: engine.base, baseItems: engine.configuration.queryItems,
        queryItems: items, escaping: engine.configuration.queryEscaping, last: engine.lastOrigin)
    } catch { throw WebServiceError(.badURL, phase: .describe, message: error.reason) }
    if options.needsSecureURL, !url.origin.isSecure, !url.origin.isLoopback {
      throw WebServiceError(
        .badURL, phase: .describe, message: "http would send the secrets of the request in clear; use https")
    }
    let body = data._body
    var content = TransportBody.none
    if let body { content = try encoding("body") { try body.content(engine.configuration) } }
    let headers = try headers(for: url, body: body, credentials)
    var request = TransportRequest(
      method: method, url: .parsed(url), headers: headers, body: content, timeouts: timeouts,
      responseLimit: engine.configuration.responseLimit, options: options,
      followsRedirects: (options.redirects ?? engine.configuration.redirects).isFollowing, isHeadChecked: true,
      secrets: credentials)
    if let compress = body?.compress {
      // No secret is found in compressed bytes.
      request.formerRequests = SecretSource.all(of: request)
      request.body = try encoding("body") { try compress(content) }
    }
    guard let sink else { return request }
    // A stream or a download may take any time as a whole. Its timeout limits the time between two bytes too.
    request.timeouts.idle = request.timeouts.idle ?? options.timeout ?? engine.configuration.timeout
    // A request whose response can't be written isn't sent. This comes last: an invalid request creates no file.
    do { try sink.prepare(request.without(credentials)) } catch let failure as WebServiceError { throw failure } catch {
      let words = TransportError.words(of: error)
      throw WebServiceError(.file, message: "the file for the response can't be created: \(words)", underlying: error)
    }
    return request
  }

  private func checkTimeout(_ seconds: TimeInterval?) throws(WebServiceError) {
    if let seconds, !(seconds > 0 && seconds <= TransportRequest.Timeouts.longest) {
      throw .invalid("the timeout of \(seconds) s is not between 0 and half a year")
    }
  }

  private func encoding<Value>(_ part: String, _ encode: () throws -> Value) throws(WebServiceError) -> Value {
    do { return try encode() } catch {
      // The descriptions of the library's own errors name the place and never the value. Other errors are only
      // underlying ones.
      let words =
        switch error {
        case let error as RequestBodyError: ": \(error.description)"
        case let error as BodyFailure: ": \(error.description)"
        case EncodingError.invalidValue(_, let context) where !context.codingPath.isEmpty:
          ", at \(context.codingPath.map(\.stringValue).joined(separator: "."))"
        default: ""
        }
      throw .invalid("the \(part) can't be encoded\(words)", underlying: error)
    }
  }
}
