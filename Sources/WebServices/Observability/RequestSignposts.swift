#if canImport(os)
  import os

  /// A monitor that shows each request as an interval, and its stations as points, in Instruments.
  public struct RequestSignposts: RequestMonitor {
    private let signposter: OSSignposter

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - subsystem: whose signposts they are, in reverse domain notation.
    ///   - category: which part of it.
    public init(subsystem: String, category: String = "WebServices") {
      signposter = OSSignposter(subsystem: subsystem, category: category)
    }

    /// Begins or ends an interval or sets a point. Costs next to nothing while nobody looks.
    public func record(_ event: RequestEvent) {
      guard signposter.isEnabled else { return }
      let id = OSSignpostID(event.requestID)
      switch event.kind {
      case .described:
        _ = signposter.beginInterval("Request", id: id, "\(event.description, privacy: .public)")
      case .delivered:
        let state = OSSignpostIntervalState.beginState(id: id)
        signposter.endInterval("Request", state, "\(event.kind.description, privacy: .public)")
      default:
        signposter.emitEvent("Station", id: id, "\(event.kind.description, privacy: .public)")
      }
    }
  }
#endif
