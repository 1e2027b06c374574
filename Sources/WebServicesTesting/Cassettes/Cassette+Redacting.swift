import Foundation
public import WebServicesCore

extension Cassette {
  /// A copy without secrets, such as that of an export, for a file that others can read.
  ///
  /// - Parameter redaction: the secrets to hide. The secrets of a request are hidden in its response too, and a token
  ///   in a request's header field is hidden in all responses.
  public func redacted(by redaction: Redaction = .standard) -> Cassette {
    redacted(by: redaction, requests: exchanges.map { TransportRequest($0.request) })
  }

  /// - Parameter requests: the requests of the exchanges, with their secrets.
  func redacted(by redaction: Redaction, requests: [TransportRequest]) -> Cassette {
    let tokens = redaction.hiding(and: requests.flatMap(redaction.tokens))
    return Cassette(
      exchanges: zip(exchanges, requests).map { exchange, request in
        var copy = exchange.redacted(by: redaction.hiding(secretsOf: request))
        copy.response = copy.response?.redacted(by: tokens)
        return copy
      })
  }
}

extension Cassette.Exchange {
  fileprivate func redacted(by redaction: Redaction) -> Self {
    var copy = self
    copy.request = request.redacted(by: redaction)
    copy.response = response?.redacted(by: redaction)
    if let failure { copy.failure?.message = redaction.text(failure.message) }
    return copy
  }
}

extension TransportRequest {
  /// A request that only serves to look for secrets.
  fileprivate init(_ request: Cassette.Request) {
    // A tool may have exported a URL that isn't one. The other parts have secrets all the same.
    let url = URL(string: request.url) ?? URL(fileURLWithPath: "/")
    self.init(method: request.method, url: url, headers: request.headers, body: .data(request.body.data))
  }
}

extension Cassette.Request {
  /// The recorded form of a request, before its secrets are hidden.
  init(_ request: TransportRequest, body: Cassette.Body) {
    self.init(method: request.method, url: request.url.absoluteString, headers: request.headers, body: body)
  }

  /// A redaction that also hides the secrets of this request wherever they occur.
  func redaction(_ redaction: Redaction) -> Redaction { redaction.hiding(secretsOf: TransportRequest(self)) }

  func redacted(by redaction: Redaction) -> Self {
    Self(
      method: method, url: redaction.url(url), headers: redaction.fields(headers),
      body: body.redacted(by: redaction, in: headers))
  }
}

extension Cassette.Response {
  fileprivate func redacted(by redaction: Redaction) -> Self {
    var copy = self
    (copy.headers, copy.body) = (redaction.fields(headers), body.redacted(by: redaction, in: headers))
    if copy.body != body { copy.correctLength() }
    return copy
  }

  /// Announces the length that redaction or a program's export has given the body. A download of another length fails.
  mutating func correctLength() {
    if headers["Content-Length"] != nil { headers.contentLength = Int64(body.data.count) }
  }
}

extension Cassette.Body {
  /// - Parameter headers: the header fields of the message.
  fileprivate func redacted(by redaction: Redaction, in headers: HTTPHeaders) -> Self {
    // The first bytes of gzip, which a server may send as a file of its own type.
    let isCompressed = headers.isCompressed || data.starts(with: [0x1F, 0x8B])
    guard data.isEmpty || !isCompressed else { return Self(omission: Self.compressed) }
    let byName = headers.contentType?.mayHaveFields != false || text != nil
    return Self(data: redaction.content(ofBody: data, byName: byName), omission: omission)
  }

  /// Secrets can't be searched in compressed bytes.
  private static let compressed = "compressed"
  /// A file above the limit isn't read.
  static let tooLarge = "too large"

  /// The body of a request before redaction.
  ///
  /// - Parameter limit: the size of the largest file to read, in bytes.
  init(_ request: TransportRequest, limit: Int) {
    switch request.body {
    case .none: self.init()
    case _ where request.headers.isCompressed: self.init(omission: Self.compressed)
    case .data(let data): self.init(data: data)
    case .file(let url):
      do { self.init(data: try Data(regularFile: url, limit: limit)) } catch {
        self.init(omission: error == .tooLarge(limit: limit) ? Self.tooLarge : "file")
      }
    case .stream: self.init(omission: "stream")
    }
  }
}

extension Redaction {
  /// The tokens in the header fields of a request. A response may have brought them under any name. A `Cookie` isn't
  /// among them, because `Set-Cookie` is a secret name.
  fileprivate func tokens(of request: TransportRequest) -> [String] {
    let secrets = request.options.secrets
    let fields = request.headers.filter { hides(header: $0.name) || secrets.contains($0.value) }
    return fields.filter { !$0.name.equalsIgnoringASCIICase("Cookie") }
      .compactMap { $0.value.split(separator: " ").last.map(String.init) }.filter(\.isLongAsSecret)
  }

  fileprivate func fields(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(headers.map { HTTPHeaders.Field(name: $0.name, value: value(of: $0)) })
  }

  /// The value of a field without its secrets. A cookie keeps its name and its attributes, so that a replayed response
  /// sets it again. `Expires` would end the cookie in later replays. A cookie without a value is one that the server
  /// deletes.
  private func value(of field: HTTPHeaders.Field) -> String {
    guard hides(header: field.name) else {
      guard field.name.equalsIgnoringASCIICase("Link") else { return text(field.value) }
      // A bracket ends the target of a link, so a placeholder in the target has none.
      let parts = field.value.components(separatedBy: ">").map(text)
      return parts.joined(separator: ">").replacingOccurrences(of: Self.placeholder, with: "%3Credacted%3E")
    }
    let parts = field.value.split(separator: ";", omittingEmptySubsequences: false)
    guard field.name.equalsIgnoringASCIICase("Set-Cookie"), let pair = parts.first,
      let equals = pair.firstIndex(of: "=")
    else { return Self.placeholder }
    if pair.suffix(from: equals).dropFirst().allSatisfy({ $0 == " " }) { return text(field.value) }
    let attributes = parts.dropFirst().filter { !$0.trimmingFieldWhitespace.lowercased().hasPrefix("expires") }
    return text(([pair[...equals] + Self.placeholder] + attributes).joined(separator: ";"))
  }

  /// Hides secrets in a body. No search of bytes finds them in UTF-16 and UTF-32, so such a text is searched as UTF-8.
  ///
  /// - Parameter byName: whether names are looked up. In a picture each is chance, and hiding its value damages it.
  fileprivate func content(ofBody body: Data, byName: Bool) -> Data {
    let encodings: [String.Encoding] = [.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian]
    for encoding in encodings where body.contains(0) {
      // Foundation drops an incomplete last unit, with which a body that broke off may end.
      guard let text = String(data: body, encoding: encoding) else { continue }
      let hidden = content(Data(text.utf8), byName: byName)
      if hidden != Data(text.utf8) { return String(decoding: hidden, as: UTF8.self).data(using: encoding) ?? hidden }
    }
    return content(body, byName: byName)
  }
}
