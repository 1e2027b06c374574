public import Foundation

extension RequestEvent {
  /// The step that a request has taken. New steps may be added: have a `default` where you switch over it.
  public enum Kind: Sendable, DescriptionOnly {
    /// The library chose the session that sends: its kind and the reason, in one line. A fallback lacks abilities of
    /// the system's usual session. The first event of a service's first request, unless the session was injected.
    case sessionChosen(String, isFallback: Bool)
    /// The request was built.
    case described
    /// Something keeps the request from going on.
    case waiting(WaitReason)
    /// The request has the credentials that it needs, or needs none.
    case authorized
    /// The request was handed to the transport.
    case sent
    /// The response redirects, and the request follows.
    case redirected(to: RequestEvent.RedactedURL)
    /// The request is retried after this many seconds.
    case retried(after: TimeInterval, cause: RetryCause)
    /// The response is complete: its status, the bytes of its content after decompression, and the transport's
    /// measurements. Bytes that a stream or a download has taken aren't counted.
    indirect case received(status: Int, bytes: Int64, metrics: WebServiceResponse.Metrics?)
    /// The response was read as the model.
    case decoded
    /// The completion has its result. The last event of every request, and there is one for each.
    case delivered(Outcome)
    /// The cache took part.
    case cached(CacheUse)
    /// The request shares the transfer of an equal one.
    case coalesced

    /// The step in words, with secrets hidden.
    public var description: String {
      switch self {
      case .sessionChosen(let session, _): "sent by \(session)"
      case .described: "described"
      case .waiting(.retryDelay): "waiting for the next attempt"
      case .waiting(let reason): "waiting for \(reason.rawValue)"
      case .authorized: "authorized"
      case .sent: "sent"
      case .redirected(let url): "redirected to \(url)"
      case .retried(let delay, let cause): "retried after \(delay.inWords) s because of \(cause)"
      case .received(let status, let bytes, let metrics):
        "received status \(status), \(bytes) bytes" + (metrics.map { " in \($0.total.inWords) s" } ?? "")
      case .decoded: "decoded"
      case .delivered(.success): "delivered a success"
      case .delivered(.failure(let error)): "delivered a failure: \(error)"
      case .delivered(.cancelled): "delivered as cancelled"
      case .cached(.hit): "from the cache"
      case .cached(.stale): "from the cache, stale"
      case .cached(.revalidated): "from the cache, revalidated"
      case .coalesced: "coalesced with an equal request"
      }
    }
  }

  /// The reason why a request waits.
  public enum WaitReason: String, Hashable, Sendable, Codable {
    /// A network.
    case connectivity
    /// A limit of requests in flight, or of their rate.
    case limit
    /// A circuit breaker that lets nothing through.
    case breaker
    /// A token.
    case token
    /// The time before the next attempt.
    case retryDelay
  }

  /// The reason why a request is sent again.
  public enum RetryCause: Hashable, Sendable, CustomStringConvertible {
    /// The server responded with this status.
    case status(Int)
    /// The server refused the token, and the token manager replaces it.
    case unauthorized
    /// The server sent a challenge, and the request is signed again.
    case challenge
    /// The transfer failed.
    case transport(TransportError.Kind)

    /// The cause in words.
    public var description: String {
      switch self {
      case .status(let code): "status \(code)"
      case .unauthorized: "a refused token"
      case .challenge: "a challenge"
      case .transport(let kind): "\(kind)"
      }
    }
  }

  /// The part that a cache took in a request.
  public enum CacheUse: String, Hashable, Sendable, Codable {
    /// The stored response was fresh: nothing was sent.
    case hit
    /// The stored response was delivered although it was stale.
    case stale
    /// The server confirmed the stored response.
    case revalidated
  }

  /// How a request ended.
  public enum Outcome: Sendable {
    /// A success, with a model or without a body.
    case success
    /// A failure with this error.
    case failure(WebServiceError)
    /// It was cancelled, or its service was shut down.
    case cancelled
  }
}

extension TimeInterval {
  /// Seconds with three digits of a fraction: `1.250`.
  package var inWords: String { isFinite ? String(format: "%.3f", self) : "\(self)" }
}
