/// Turns the value that a resource is accessed with into query items or a body. Most resources use ``automatic``.
public struct RequestContent<Value: Sendable>: Sendable {
  let write: @Sendable (Value, inout Request) -> Void

  /// A body that a closure makes of the value.
  ///
  /// - Parameter make: makes the body, on the thread that sends the request. With `nil` the request has no body.
  public static func body(_ make: @escaping @Sendable (Value) -> RequestBody?) -> RequestContent {
    RequestContent { value, request in request.body = make(value) }
  }
}

extension RequestContent where Value: Encodable {
  /// Query items for GET, HEAD and DELETE, and JSON in the body for every other method, where `nil` is no body. Servers
  /// don't agree on the content of a GET, HEAD or DELETE (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.5).
  public static var automatic: RequestContent {
    RequestContent { value, request in
      switch request.method {
      case .get, .head, .delete: request.query = value
      default: request.body = isMissing(value) ? nil : .json(value)
      }
    }
  }

  /// JSON in the body, whatever the method.
  public static var json: RequestContent { .body { .json($0) } }

  /// Query items, whatever the method.
  public static var query: RequestContent { RequestContent { value, request in request.query = value } }

  /// A form in the body, whatever the method, written by the `queryEncoder` of the service's configuration.
  public static var form: RequestContent { .body { .form($0) } }
}

extension RequestContent where Value == Void {
  /// No content.
  public static var none: RequestContent { RequestContent { _, _ in } }
}
