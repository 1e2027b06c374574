import Foundation

/// What two requests have in common that may share one exchange: everything that goes to the server, the credentials
/// among it, so that no answer passes from one identity to another.
struct CoalescingKey: Hashable, Sendable {
  private let method: String
  private let url: String
  private let fields: [HTTPHeaders.Field]
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
    method = request.method.rawValue
    url = request.url.absoluteString
    self.limit = limit
    // The order counts among fields of one name only (RFC 9110, section 5.3); Swift's sort keeps it.
    fields = request.headers.fields
      .map { HTTPHeaders.Field(name: $0.name.lowercased(), value: $0.value) }
      .sorted { $0.name < $1.name }
    var hasher = Hasher()
    hasher.combine(url)
    for field in fields { hasher.combine(field.value) }
    hash = hasher.finalize()
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}

extension CoalescingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method alone: fields and URL may hold secrets.
  var description: String { "CoalescingKey(\(method))" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
