#if os(Linux)
  import Foundation

  /// A checked request in the form that libcurl takes, made on the caller's thread.
  struct CurlRequestPlan: Sendable {
    /// The way in which libcurl sends the request.
    enum Shape: Equatable, Sendable {
      /// A head alone.
      case plain
      /// `HEAD`: libcurl expects no content.
      case headOnly
      /// A head and a body, also an empty one.
      case sending
    }

    /// Why the request isn't sent: a value that libcurl would change or drop. The other values have no meaning then.
    private(set) var refusal: TransportError?
    private(set) var target: HTTPURL?
    private(set) var shape = Shape.plain
    /// Nanoseconds; `nil` for no limit.
    private(set) var connectTimeout: UInt64?
    private(set) var idleTimeout: UInt64?

    /// - Parameters:
    ///   - defaults: the session's timeouts.
    ///   - settingOfTLS: the session's setting that demands TLS; `nil` for none.
    init(_ request: TransportRequest, defaults: TransportRequest.Timeouts, settingOfTLS: String?) {
      do throws(TransportError) { try check(request, defaults, settingOfTLS) } catch { refusal = error }
    }

    private mutating func check(
      _ request: TransportRequest, _ defaults: TransportRequest.Timeouts, _ settingOfTLS: String?
    ) throws(TransportError) {
      try request.checkHead()
      target = try request.checkedTarget(settingOfTLS: settingOfTLS)
      shape = try CurlRequestPlan.shape(of: request)
      let timeouts = try request.timeouts.checked(defaults: defaults)
      connectTimeout = timeouts.connect.map { UInt64($0 * 1_000_000_000) }
      idleTimeout = timeouts.idle.map { UInt64($0 * 1_000_000_000) }
    }

    private static func shape(of request: TransportRequest) throws(TransportError) -> Shape {
      let method = request.method
      guard case .none = request.body else {
        if method == .head { throw .invalid("a HEAD request has no body") }
        return .sending
      }
      switch method {
      case .head: return .headOnly
      // Without a body these methods still send `Content-Length: 0` (RFC 9110, section 8.6).
      case .post, .put, .patch: return .sending
      default: return .plain
      }
    }

    /// The lines after the request line. libcurl writes the length and the framing itself, so that they can't be wrong.
    /// In its syntax `Name;` sends an empty value, and `Name:` keeps libcurl from adding the field.
    static func headerLines(_ headers: HTTPHeaders, shape: Shape) -> [String] {
      var lines: [String] = []
      lines.reserveCapacity(headers.count + 3)
      for field in headers where !field.isFraming {
        lines.append(field.isBlank ? field.name + ";" : field.name + ": " + field.value)
      }
      if headers["Accept-Encoding"] == nil {
        // Servers ignore a range if they may compress, and a part of compressed content can't be decoded alone.
        let codings = headers["Range"] == nil ? ContentCoding.accepted : "identity"
        if let codings { lines.append("Accept-Encoding: " + codings) }
      }
      guard shape == .sending else { return lines }
      // Without these libcurl would declare any body a form, and would wait for a 100 before it sends a large one.
      if headers["Content-Type"] == nil { lines.append("Content-Type:") }
      if headers["Expect"] == nil { lines.append("Expect:") }
      return lines
    }
  }
#endif
