#if canImport(Darwin)
  public import Foundation

  extension URLSession {
    /// Makes a session that passes the challenges of its connections to your closure: server trust, a client
    /// certificate, NTLM or Negotiate. Foundation doesn't ask a session's delegate for Basic and Digest credentials. Only Apple's `URLSession` offers that. The library's own sessions use only the values of a
    /// `TransportConfiguration`.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration.
    ///   - handler: called on a queue of the session, once for each challenge.
    public static func handlingChallenges(
      configuration: URLSessionConfiguration = .webServices,
      _ handler: @escaping @Sendable (URLAuthenticationChallenge) -> (AuthChallengeDisposition, URLCredential?)
    ) -> URLSession {
      URLSession(configuration: configuration, delegate: ChallengeDelegate(handler), delegateQueue: nil)
    }
  }

  /// The delegate of a session that `handlingChallenges` makes. It passes each challenge to the app's closure.
  private final class ChallengeDelegate: NSObject, URLSessionDelegate, Sendable {
    private let handler: @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)

    init(
      _ handler:
        @escaping @Sendable (URLAuthenticationChallenge) -> (
          URLSession.AuthChallengeDisposition, URLCredential?
        )
    ) {
      self.handler = handler
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) = handler(challenge)
      completionHandler(disposition, credential)
    }
  }
#endif
