import Foundation
internal import WebServicesTransport

extension RequestRun {
  /// Takes the request to `send` in one pass if nothing has to wait, on the caller's thread. Leaves the pass for the
  /// station that waits: for a network, a token or an app's signer. Another thread may interrupt the request meanwhile,
  /// which ends with the event that this returns.
  func prepare() -> Event {
    let step: RequestStep
    do throws(WebServiceError) { step = RequestStep(described: try describe(), authorization: authorization) } catch {
      return .refused(error)
    }
    if !engine.monitors.isEmpty {
      let url = RequestEvent.RedactedURL(step.request.urlForm, redaction: engine.configuration.redaction)
      state.withLock { $0.shown = (0, url) }
      if let chosen = engine.takeUnreportedSession() {
        record(.sessionChosen(chosen.description, isFallback: chosen.isFallback))
      }
      record(.described)
    }
    let isOffline = isOffline(step)
    guard isOffline == false, let authorized = authorizedAtOnce(step) else {
      return .described(step, isOffline: isOffline)
    }
    record(.authorized)
    return .prepared(step, authorized.request, authorized.credentials)
  }

  /// Makes the transport request from the caller's data, without credentials.
  package func describe() throws(WebServiceError) -> TransportRequest {
    var request = try RequestDescription.transportRequest(
      for: data, options: options, accept: accept, engine: engine, context: contextHeaders)
    guard let sink else { return request }
    // A stream or a download may take any time as a whole. Its timeout limits the time between two bytes too.
    request.timeouts.idle = request.timeouts.idle ?? options.timeout ?? engine.configuration.timeout
    // A request whose response can't be written isn't sent. This comes last: an invalid request creates no file.
    do { try sink.prepare(request) } catch let failure as WebServiceError { throw failure } catch {
      throw WebServiceError(.file, message: "the file for the response can't be created", underlying: error)
    }
    return request
  }
}
