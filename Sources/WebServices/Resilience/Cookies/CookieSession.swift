import Foundation

/// Sends each request with the cookies of a jar, and keeps the cookies that its response sets.
///
/// The layer precedes cache and shared transfers, because both distinguish users by the sent credentials.
public struct CookieLayer: CredentialLayer {
  let jar: CookieJar

  /// Makes a session that sends cookies.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    let first = service.configuration.layers.first { $0 is CookieLayer || $0 is CacheLayer || $0 is CoalescingLayer }
    return CookieSession(jar, next: next, isMisplaced: first.map { !($0 is CookieLayer) } ?? false)
  }

  package func forgetUser() { jar.removeAll() }
}

extension SessionLayer where Self == CookieLayer {
  /// Keeps cookies. Put the layer before ``SessionLayer/cache(_:)`` and ``SessionLayer/coalescing``: requests fail
  /// behind one of them, since the response of one user could reach another.
  public static func cookies(_ jar: CookieJar) -> CookieLayer { CookieLayer(jar: jar) }
}

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
    // A field of the request's own says all that is to be sent.
    if let field = attachment.field, request.headers["Cookie"] == nil {
      request.headers.add(name: "Cookie", value: field)
    }
    var context = request.context
    context.observer?.transferCarries(secrets: attachment.secrets)
    let observer = CookieObserver(
      jar, target: target, generation: attachment.generation, takesAtEnd: request.receiver == nil,
      observer: context.observer)
    context.observer = observer
    request.context = context
    // A stream may go on for hours: its cookies are kept when its head has come.
    request.receiver = request.receiver.map { CookieReceiver($0, observer: observer) }
    return next.transferTask(with: request, completion: completion)
  }
}

/// Records the cookies of the sent transfer, whatever layers follow. A stored response sets no cookie again.
private final class CookieObserver: TransferObserver {
  private let jar: CookieJar
  private let target: HTTPURL
  private let generation: Int
  private let takesAtEnd: Bool
  private let observer: (any TransferObserver)?

  init(
    _ jar: CookieJar, target: HTTPURL, generation: Int, takesAtEnd: Bool, observer: (any TransferObserver)?
  ) {
    self.jar = jar
    self.target = target
    self.generation = generation
    self.takesAtEnd = takesAtEnd
    self.observer = observer
  }

  func refusal() -> TransportError? { observer?.refusal() }
  func transferIsSent() { observer?.transferIsSent() }
  func transferDid(_ kind: RequestEvent.Kind) { observer?.transferDid(kind) }
  func transferCarries(secrets: [String]) { observer?.transferCarries(secrets: secrets) }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    if takesAtEnd {
      switch result {
      case .success(let response): take(response)
      case .failure(let error): error.response.map(take)
      }
    }
    observer?.transferDidEnd(result)
  }

  func take(_ head: WebServiceResponse) {
    let fields = head.headers.values(for: "Set-Cookie")
    // A session that followed a redirect by itself has the response of another host.
    guard !fields.isEmpty, head.urlForm.parsed?.origin.host == target.origin.host else { return }
    jar.take(fields, from: target, generation: generation)
    let values = fields.compactMap { $0.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).last }
    observer?.transferCarries(secrets: values.flatMap(\.trimmingFieldWhitespace.cookieSecrets))
  }
}

private final class CookieReceiver: TransportReceiver {
  private let receiver: any TransportReceiver
  private let observer: CookieObserver

  init(_ receiver: any TransportReceiver, observer: CookieObserver) {
    self.receiver = receiver
    self.observer = observer
  }

  func didReceive(head: WebServiceResponse) {
    observer.take(head)
    receiver.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    receiver.didReceive(piece, proceed: proceed)
  }
}
