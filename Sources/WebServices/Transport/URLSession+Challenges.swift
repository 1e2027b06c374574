#if canImport(Darwin)
  public import Foundation

  extension URLSession {
    /// A session that has the app's closure answer what a server or a proxy demands: its trust, a client's certificate,
    /// a sign-in. Only Apple's `URLSession` offers that. The library's own sessions know the values of a
    /// `TransportConfiguration` alone.
    ///
    /// - Parameters:
    ///   - configuration: the session's.
    ///   - answer: called on a queue of the session's, once for a connection or a request.
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
