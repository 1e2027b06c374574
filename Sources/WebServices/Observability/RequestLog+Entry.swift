extension RequestLog {
  /// An entry of a log. There is a fixed set of messages, so that you can count and search entries. The fields contain
  /// the values.
  public struct Entry: Hashable, Sendable {
    /// A named value.
    public struct Field: Hashable, Sendable {
      /// The name, in camel case.
      public let name: String
      /// The value, without secrets.
      public let value: String
    }

    /// How much the entry matters.
    public let level: Level
    /// One of a fixed set of messages.
    public let message: String
    /// The values, in a fixed order.
    public let fields: [Field]

    /// The value of the field, or `nil` when there is none of this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
  }
}

extension RequestLog.Entry: CustomStringConvertible {
  /// The entry in one line: `request sent request=7 attempt=1 url=https://…`. Values with spaces are in quotes.
  public var description: String {
    fields.reduce(into: message) { line, field in line += " \(field.name)=\(Self.quoted(field.value))" }
  }

  /// The value in quotes, if it isn't a plain word. Control characters and line separators are escaped, so that a value
  /// can't begin a line that looks like another entry.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy {
      !$0.isControl && $0 != "\"" && $0 != "=" && !$0.properties.isWhitespace
    }
    if isPlain, !value.isEmpty { return value }
    return value.unicodeScalars.reduce(into: "\"") { line, scalar in
      if scalar == "\"" || scalar == "\\" { line += "\\" }
      if scalar.isControl { line += scalar.escaped } else { line.unicodeScalars.append(scalar) }
    } + "\""
  }

  init(_ event: RequestEvent) {
    let (message, details) = Self.words(for: event.kind)
    let facts: [(String, String?)] = [
      ("request", "\(event.requestID)"), ("attempt", "\(event.attempt)"), ("transfer", "\(event.transfer)"),
      ("elapsed", event.elapsed.inWords), ("method", event.method.rawValue), ("url", event.url.description),
      ("status", event.status.map { "\($0)" }),
    ]
    let fields = (facts + details).compactMap { name, value in value.map { Field(name: name, value: $0) } }
    self.init(level: event.kind.level, message: message, fields: fields)
  }

  private static func words(for kind: RequestEvent.Kind) -> (message: String, details: [(String, String?)]) {
    switch kind {
    case .sessionChosen(let session, _): ("session chosen", [("session", session)])
    case .described: ("request described", [])
    case .waiting(let reason): ("request waiting", [("reason", reason.rawValue)])
    case .authorized: ("request authorized", [])
    case .sent: ("request sent", [])
    case .redirected(let url): ("request redirected", [("location", url.description)])
    case .retried(let delay, let cause): ("request retried", [("delay", delay.inWords), ("cause", cause.description)])
    case .received(let status, let bytes, let metrics):
      ("response received", [("status", "\(status)"), ("bytes", "\(bytes)")] + words(for: metrics))
    case .decoded: ("response decoded", [])
    case .delivered(.success): ("request succeeded", [])
    case .delivered(.cancelled): ("request cancelled", [])
    case .delivered(.failure(let error)): ("request failed", [("error", error.description)])
    case .cached(let use): ("cache used", [("use", use.rawValue)])
    case .coalesced: ("request coalesced", [])
    }
  }

  private static func words(for metrics: WebServiceResponse.Metrics?) -> [(String, String?)] {
    guard let metrics else { return [] }
    return [
      ("nameLookup", metrics.nameLookup?.inWords), ("connect", metrics.connect?.inWords), ("tls", metrics.tls?.inWords),
      ("firstByte", metrics.firstByte?.inWords), ("total", metrics.total.inWords),
      ("isReusedConnection", "\(metrics.isReusedConnection)"),
    ]
  }
}
