import Foundation

/// Sends each request with the cookies of a jar, and stores the cookies that its response sets. Add the layer with
/// `.cookies(_:)`.
///
/// The layer precedes cache and shared transfers, because both distinguish users by the sent credentials.
public struct CookieLayer: CredentialLayer {
  let jar: CookieJar

  /// Makes a session that sends cookies.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    // `wrap` can't throw, so a misplaced layer makes every request fail with an explanation.
    let first = service.configuration.layers.first { $0 is CookieLayer || $0 is CacheLayer || $0 is CoalescingLayer }
    return CookieSession(jar, next: next, isMisplaced: first.map { !($0 is CookieLayer) } ?? false)
  }

  package func forgetUser() { jar.removeAll() }
}

extension SessionLayer where Self == CookieLayer {
  /// Stores and sends cookies. Put the layer before ``SessionLayer/cache(_:)`` and ``SessionLayer/coalescing``. After
  /// them, requests fail, because one user's response could reach another user.
  public static func cookies(_ jar: CookieJar) -> CookieLayer { CookieLayer(jar: jar) }
}

/// Adds the `Cookie` field to a request, and observes its transfer for `Set-Cookie` fields.
final class CookieSession: WrappingSession {
  let next: any URLSessionProtocol
  private let jar: CookieJar
  private let isMisplaced: Bool

  init(_ jar: CookieJar, next: any URLSessionProtocol, isMisplaced: Bool = false) {
    self.jar = jar
    self.next = next
    self.isMisplaced = isMisplaced
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !isMisplaced else {
      return finishedTask(
        with: .failure(.invalid("the layer .cookies stands behind .cache or .coalescing; put it first")),
        completion: completion)
    }
    guard let target = request.target else { return next.transferTask(with: request, completion: completion) }
    let attachment = jar.attachment(for: target)
    var request = request
    // A field that the caller has set is sent alone.
    if let field = attachment.field, request.headers["Cookie"] == nil {
      request.headers.add(name: "Cookie", value: field)
    }
    var context = request.context
    context.observer?.transferCarries(secrets: attachment.secrets)
    let observer = CookieObserver(
      jar, target: target, generation: attachment.generation, storesAtEnd: request.receiver == nil,
      observer: context.observer)
    context.observer = observer
    request.context = context
    // A stream may go on for hours, so its cookies are stored when the head arrives.
    request.receiver = request.receiver.map { CookieReceiver($0, observer: observer) }
    return next.transferTask(with: request, completion: completion)
  }
}

/// Stores the cookies of the transfer that the innermost session sends. A response from a cache sets no cookie again,
/// because no transfer ends for it.
private final class CookieObserver: TransferObserver {
  private let jar: CookieJar
  private let target: HTTPURL
  private let generation: Int
  private let storesAtEnd: Bool
  private let observer: (any TransferObserver)?

  init(
    _ jar: CookieJar, target: HTTPURL, generation: Int, storesAtEnd: Bool, observer: (any TransferObserver)?
  ) {
    self.jar = jar
    self.target = target
    self.generation = generation
    self.storesAtEnd = storesAtEnd
    self.observer = observer
  }

  func refusal() -> TransportError? { observer?.refusal() }
  func transferIsSent() { observer?.transferIsSent() }
  func transferDid(_ kind: RequestEvent.Kind) { observer?.transferDid(kind) }
  func transferCarries(secrets: [String]) { observer?.transferCarries(secrets: secrets) }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    if storesAtEnd {
      switch result {
      case .success(let response): storeCookies(of: response)
      // A response that broke off has its head, and so its cookies.
      case .failure(let error): error.response.map(storeCookies)
      }
    }
    observer?.transferDidEnd(result)
  }

  func storeCookies(of head: WebServiceResponse) {
    // No site may have more cookies, and a jar takes time for each.
    let fields = head.headers.values(for: "Set-Cookie").prefix(CookieList.limitPerSite)
    // The response of another host comes from a session that followed a redirect on its own. That host may not set
    // cookies here.
    guard !fields.isEmpty, head.urlForm.parsed?.origin.host == target.origin.host else { return }
    jar.store(fields, from: target, generation: generation)
    // A value counts as a secret even if the jar refuses the cookie.
    let values = fields.map { field in
      let pair = field.prefix { $0 != ";" }
      // Without an equals sign the whole pair is the value (RFC 6265bis, section 5.6).
      return pair[(pair.firstIndex(of: "=").map(pair.index(after:)) ?? pair.startIndex)...]
    }
    observer?.transferCarries(secrets: values.flatMap(\.trimmingFieldWhitespace.cookieSecrets))
  }
}

/// Passes a streamed response on, and shows its head to the observer.
private final class CookieReceiver: TransportReceiver {
  private let receiver: any TransportReceiver
  private let observer: CookieObserver

  init(_ receiver: any TransportReceiver, observer: CookieObserver) {
    self.receiver = receiver
    self.observer = observer
  }

  func didReceive(head: WebServiceResponse) {
    observer.storeCookies(of: head)
    receiver.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    receiver.didReceive(piece, proceed: proceed)
  }
}
