public import WebServicesCore

// Responses that violate the protocol. A client must handle all of them.
extension LoopbackServer.Response {
  /// No response, while the connection stays open.
  public static var never: Self { [.never] }

  /// An orderly close of the connection instead of a response.
  public static var close: Self { [.close] }

  /// A reset of the connection instead of a response.
  public static var reset: Self { [.reset] }

  /// Text that is sent unchanged. The connection stays open unless `steps` close it.
  public static func raw(_ text: String, then steps: LoopbackServer.Step...) -> Self {
    Self([.text(text)] + steps)
  }
}

// MARK: - Redirects and challenges

extension LoopbackServer.Response {
  /// A redirect. The location is sent unchanged.
  public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Location", value: location)
    return .status(status, headers: headers)
  }

  /// Status 401 with a `WWW-Authenticate` field for each challenge, such as `Bearer realm="test"`.
  public static func unauthorized(_ challenges: String...) -> Self {
    let fields = challenges.map { HTTPHeaders.Field(name: "WWW-Authenticate", value: $0) }
    return .text("unauthorized", status: 401, headers: HTTPHeaders(fields))
  }
}
