import Foundation

/// Adds the `Cookie` field to a request, and observes its transfer for `Set-Cookie` fields.
struct CookieSession: WrappingSession {
  let jar: CookieJar
  let next: any URLSessionProtocol
  var isMisplaced = false

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    guard !isMisplaced else {
      let refusal = TransportError.invalid("the layer .cookies stands behind .cache or .coalescing; put it first")
      return finishedTask(with: .failure(refusal), completion: completion)
    }
    guard let target = request.target else { return next.transferTask(with: request, completion: completion) }
    let (cookies, generation) = jar.attachment(for: target)
    var request = request
    // A field that the caller has set is sent alone.
    if !cookies.isEmpty, request.headers["Cookie"] == nil {
      request.headers.add(name: "Cookie", value: cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))
    }
    let observer = CookieObserver(of: request, to: target, jar, generation: generation)
    observer.transferCarries(secrets: cookies.flatMap(\.value.cookieSecrets))
    request.context.observer = observer
    if request.receiver != nil { request.receiver = observer }
    return next.transferTask(with: request, completion: completion)
  }
}

/// Stores the cookies of the transfer that the innermost session sends. A response from a cache sets no cookie again,
/// because no transfer ends for it. A stream's cookies are stored with its head: its end may be hours away, and must
/// replace no newer cookie.
private final class CookieObserver: WatchingObserver, TransportRequest.Receiver {
  private let jar: CookieJar
  private let target: HTTPURL
  private let generation: Int
  let observer: (any TransferObserver)?
  private let receiver: (any TransportRequest.Receiver)?
  /// Whether the receiver was given a head.
  private let hasHead = Locked(false)

  init(of request: TransportRequest, to target: HTTPURL, _ jar: CookieJar, generation: Int) {
    (self.jar, self.target, self.generation) = (jar, target, generation)
    (observer, receiver) = (request.context.observer, request.receiver)
  }

  func didReceive(head: WebServiceResponse) {
    hasHead.withLock { $0 = true }
    storeCookies(of: head)
    receiver?.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    receiver?.didReceive(piece, proceed: proceed)
  }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    if !hasHead.withLock({ $0 }) { result.serverResponse.map(storeCookies) }
    observer?.transferDidEnd(result)
  }

  private func storeCookies(of head: WebServiceResponse) {
    // No site may have more cookies, and a jar takes time for each.
    let fields = head.headers.values(for: "Set-Cookie").prefix(CookieList.limitPerSite)
    // The response of another host comes from a session that followed a redirect on its own. That host may not set
    // cookies here.
    guard !fields.isEmpty, head.urlForm.parsed?.origin.host == target.origin.host else { return }
    jar.store(fields, from: target, generation: generation)
    // A value counts as a secret even if the jar refuses the cookie.
    // Without an equals sign the whole pair is the value (RFC 6265bis, section 5.6).
    let values = fields.compactMap { field in
      field.utf8.prefix { $0 != UInt8(ascii: ";") }
        .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).last.map(Substring.init)
    }
    observer?.transferCarries(secrets: values.flatMap(\.trimmingFieldWhitespace.cookieSecrets))
  }
}
