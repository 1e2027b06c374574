extension RequestStateMachine {
  /// The cause that ends a request from outside its stations: a cancel, a shutdown or a timeout.
  package enum Interruption: Error, Equatable {
    /// The caller cancelled, or the user signed out.
    case cancelled
    /// The service was reset or invalidated.
    case invalidated
    /// The service is ending in good order, and refused the request.
    case shutDown
    /// The attempt's time ran out before a transfer was in progress.
    case timedOut
    /// The time for all attempts and waits together is over.
    case deadlinePassed
  }

  /// Something that happened to a request. A number says which transfer or timer the event belongs to, so that a late
  /// event doesn't fit. Large and rare cases are indirect, so that copying the others moves few words.
  enum Event: Sendable {
    /// The request waits for nothing: it has passed the stations before `send` at once, and carries its credentials.
    case prepared(TransportRequest, AttachedCredentials?)
    /// The request has to wait, for a network if `isOffline` is `nil`.
    case described(TransportRequest, isOffline: Bool?)
    /// The network was checked. Without a network only a cache can respond; `nil` if no cache can.
    case checked(isOffline: Bool?)
    /// The token manager called back.
    indirect case tokenReceived(after: Int, Result<AccessToken, any Error>)
    /// The request with the credentials that were attached now; `nil` if it has those of the step before, or none.
    case authorized(TransportRequest, AttachedCredentials?)
    case ended(transfer: Int, Result<WebServiceResponse, TransportError>)
    /// The library refuses the rest of the response: it is too large, or its file can't be written.
    case stopped(transfer: Int, TransportError)
    case timedOut(timer: Int)

    // The judge's decisions.
    case accepted(WebServiceResponse)
    case redirected(TransportRequest)
    /// The server refused this token; `nil` if the response may hold a challenge for the request's signer.
    indirect case unauthorized(WebServiceResponse, AccessToken?)
    /// Another attempt may succeed.
    indirect case failed(Retry)

    /// A station fails the request.
    case refused(WebServiceError)
    case interrupted(Interruption)
  }

  /// The action that `RequestRun.perform` carries out next, after unlocking, with its data.
  enum Action: Sendable {
    case nothing
    /// Wait for the next check of the network.
    case waitForNetwork
    case authorize(TransportRequest, after: Int)
    indirect case sign(TransportRequest, AccessToken)
    case send(RequestTransfer)
    /// Take note of a response that is a success, and read it.
    case accept(WebServiceResponse)
    indirect case judge(Result<WebServiceResponse, TransportError>, RequestTransfer, isNew: Bool)
    /// Cancel the transfer and judge this error; `nil` is a timeout.
    indirect case stop(RequestTransfer, TransportError?)
    case follow(TransportRequest)
    indirect case reauthorize(AccessToken?, WebServiceResponse, RequestTransfer)
    indirect case pause(Retry, TransportRequest)
    case read(WebServiceResponse)
    case fail(WebServiceError)
    /// Cancel the transfer or the wait in progress, and deliver the interruption.
    case abandon(WebServiceError)

    /// Whether the request has its outcome.
    var endsRequest: Bool {
      switch self {
      case .accept, .read, .fail, .abandon: true
      default: false
      }
    }
  }
}
