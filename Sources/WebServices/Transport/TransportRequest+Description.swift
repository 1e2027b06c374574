extension TransportRequest: DescriptionOnly {
  /// The method, the URL, the header fields and the size of the body, without what `Redaction.standard` hides and without
  /// the credentials that the engine attached.
  public var description: String {
    let redaction = Redaction.standard.hiding(secretsOf: self)
    return "\(method) \(redaction.url(address)), headers \(redaction.headers(headers)), body: \(body)"
  }
}

extension TransportBody: DescriptionOnly {
  /// The kind and the size, and no byte of the content.
  public var description: String {
    switch self {
    case .none: "none"
    case .data(let data): "\(data.count) bytes"
    case .file(let url): "the file \(url.path)"
    case .stream(let stream): stream.length.map { "a stream of \($0) bytes" } ?? "a stream"
    }
  }
}
