#if canImport(Darwin)
  public import Foundation

  extension URLSession {
    /// Makes a session whose challenges your closure answers, such as trust, a client's certificate or a sign-in. Only
    /// Apple's `URLSession` offers that. The library's own sessions use only the values of a `TransportConfiguration`.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration.
    ///   - answer: called on a queue of the session, once for a connection or a request.
    public static func answering(
      configuration: URLSessionConfiguration = .webServices,
      _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> (AuthChallengeDisposition, URLCredential?)
    ) -> URLSession {
      URLSession(configuration: configuration, delegate: ChallengeDelegate(answer), delegateQueue: nil)
    }
  }

  private final class ChallengeDelegate: NSObject, URLSessionDelegate, Sendable {
    private let answer: @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)

    init(
      _ answer:
        @escaping @Sendable (URLAuthenticationChallenge) -> (
          URLSession.AuthChallengeDisposition, URLCredential?
        )
    ) {
      self.answer = answer
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) = answer(challenge)
      completionHandler(disposition, credential)
    }
  }
#endif
