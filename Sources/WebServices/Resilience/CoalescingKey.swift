import Foundation

/// What two requests have in common that may share one exchange: everything that goes to the server, the credentials
/// among it, so that no answer passes from one identity to another.
struct CoalescingKey: Sendable {
  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let limit: Int
  /// Reckoned once: a key is looked up more than once, and its strings are long.
  private let hash: Int

  /// The key of a request as it would be sent, with its credentials; `nil` for one that has to have an exchange of its
  /// own: because it does more than to read, has a body, or takes its answer elsewhere than to memory. Timeouts, which
  /// are no part of it, are those of the request that started the exchange.
  init?(_ request: TransportRequest) {
    guard request.method.isSafe, case .none = request.body, case .memory(let limit) = request.destination,
      request.onProgress == nil
    else { return nil }
    method = request.method
    url = request.url.absoluteString
    self.limit = limit
    headers = request.headers
    // A sum, since the order of the fields makes no difference.
    hash = headers.fields.reduce(url.hashValue) { $0 &+ $1.value.hashValue }
  }
}

extension CoalescingKey: Hashable {
  static func == (left: CoalescingKey, right: CoalescingKey) -> Bool {
    guard left.hash == right.hash, left.limit == right.limit, left.method == right.method, left.url == right.url else {
      return false
    }
    return left.headers == right.headers || left.comparableFields == right.comparableFields
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }

  /// The order counts among fields of one name only (RFC 9110, section 5.3); Swift's sort keeps it.
  private var comparableFields: [HTTPHeaders.Field] {
    headers.fields.map { HTTPHeaders.Field(name: $0.name.lowercased(), value: $0.value) }.sorted { $0.name < $1.name }
  }
}

extension CoalescingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method alone: fields and URL may hold secrets.
  var description: String { "CoalescingKey(\(method))" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
