extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, the URL, the header fields and the size of the body, without what `Redaction.standard` hides and without
  /// the credentials that the engine attached.
  public var description: String {
    let redaction = Redaction.standard.hiding(secretsOf: self)
    return "\(method) \(redaction.url(address)), headers \(redaction.headers(headers)), body: \(body)"
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TransportBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind and the size, and no byte of the content.
  public var description: String {
    switch self {
    case .none: "none"
    case .data(let data): "\(data.count) bytes"
    case .file(let url): "the file \(url.path)"
    case .stream(let stream): stream.length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
