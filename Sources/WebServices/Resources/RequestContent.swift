/// Turns the value that a resource is accessed with into query items or a body. Most resources use ``automatic``.
public struct RequestContent<Request: Sendable>: Sendable {
  /// The parts of a request that a value can become.
  struct Parts {
    var query: (any Encodable & Sendable)?
    var body: RequestBody?
  }

  let parts: @Sendable (Request, HTTPMethod) -> Parts

  private init(_ parts: @escaping @Sendable (Request, HTTPMethod) -> Parts) {
    self.parts = parts
  }

  /// A body that a closure makes of the value.
  ///
  /// - Parameter make: makes the body, on the thread that sends the request. With `nil` the request has no body.
  public static func body(_ make: @escaping @Sendable (Request) -> RequestBody?) -> RequestContent {
    RequestContent { request, _ in Parts(body: make(request)) }
  }
}

extension RequestContent where Request: Encodable {
  /// Query items for GET, HEAD and DELETE, and JSON in the body for every other method. Servers don't agree on the
  /// content of a GET, HEAD or DELETE (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.5).
  public static var automatic: RequestContent {
    RequestContent { request, method in
      switch method {
      case .get, .head, .delete: Parts(query: request)
      default: Parts(body: .json(request))
      }
    }
  }

  /// JSON in the body, whatever the method.
  public static var json: RequestContent {
    RequestContent { request, _ in Parts(body: .json(request)) }
  }

  /// Query items, whatever the method.
  public static var query: RequestContent {
    RequestContent { request, _ in Parts(query: request) }
  }

  /// A form in the body, whatever the method, written by the `queryEncoder` of the service's configuration.
  public static var form: RequestContent {
    .body { .form($0) }
  }
}

extension RequestContent where Request == Void {
  /// No content.
  public static var none: RequestContent {
    RequestContent { _, _ in Parts() }
  }
}
