/// A monitor that collects all events.
struct EventCollector: RequestMonitor {
  let events: Collector<RequestEvent>

  func record(_ event: RequestEvent) { events.append(event) }
}

extension RequestEvent.Kind {
  /// The event's kind in a word, with its main value.
  var word: String {
    switch self {
    case .sessionChosen: "sessionChosen"
    case .described: "described"
    case .waiting(let reason): "waiting(\(reason))"
    case .authorized: "authorized"
    case .sent: "sent"
    case .redirected: "redirected"
    case .retried: "retried"
    case .received(let status, _, _): "received(\(status))"
    case .decoded: "decoded"
    case .delivered(.success): "success"
    case .delivered(.failure(let error)): "failure(\(error.kind))"
    case .delivered(.cancelled): "cancelled"
    case .cached(let use): "cached(\(use))"
    case .coalesced: "coalesced"
    }
  }
}
