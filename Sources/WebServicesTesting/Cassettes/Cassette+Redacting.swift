import Foundation
import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Cassette.Request {
  /// The recorded form of a request, which is also the form that is compared. Secrets are hidden in both.
  ///
  /// - Parameters:
  ///   - content: the body; a file is read here.
  ///   - redaction: hides the secrets.
  init(_ request: TransportRequest, content: RecordedContent, redaction: Redaction) {
    self.init(
      method: request.method, url: redaction.url(request.url.absoluteString),
      headers: redaction.fields(request.headers), body: content.body(redaction))
  }
}

extension Cassette.Response {
  init(_ response: WebServiceResponse, redaction: Redaction) {
    let content = redaction.content(ofBody: response.body)
    var headers = redaction.fields(response.headers)
    // Redaction has changed the length. A replayed response has to be complete.
    if content.count != response.body.count, headers["Content-Length"] != nil {
      headers["Content-Length"] = "\(content.count)"
    }
    self.init(
      status: response.statusCode, url: redaction.url(response.url.absoluteString), headers: headers,
      body: Cassette.Body(content))
  }
}

extension Redaction {
  fileprivate func fields(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.map { field in
        HTTPHeaders.Field(name: field.name, value: hides(header: field.name) ? hidden(field) : text(field.value))
      })
  }

  /// The value of a secret field. A cookie keeps its name and its attributes, so that a replayed response sets it again.
  /// `Expires` would end the cookie in later replays. A cookie without a value is one that the server deletes.
  private func hidden(_ field: HTTPHeaders.Field) -> String {
    let parts = field.value.split(separator: ";", omittingEmptySubsequences: false)
    guard field.name.equalsIgnoringASCIICase("Set-Cookie"), let pair = parts.first,
      let equals = pair.firstIndex(of: "=")
    else { return Self.placeholder }
    if pair.suffix(from: equals).dropFirst().allSatisfy({ $0 == " " }) { return text(field.value) }
    let attributes = parts.dropFirst().filter { !$0.trimmingFieldWhitespace.lowercased().hasPrefix("expires") }
    return text(([pair[...equals] + Self.placeholder] + attributes).joined(separator: ";"))
  }

  /// Hides secrets in a body. No search of bytes finds them in UTF-16 and UTF-32, so such a text is searched as UTF-8.
  fileprivate func content(ofBody body: Data) -> Data {
    let encodings: [String.Encoding] = [.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian]
    for encoding in encodings where body.contains(0) {
      // Foundation drops an incomplete last unit, with which a body that broke off may end.
      guard let text = String(data: body, encoding: encoding) else { continue }
      let hidden = content(Data(text.utf8))
      if hidden != Data(text.utf8) { return String(decoding: hidden, as: UTF8.self).data(using: encoding) ?? hidden }
    }
    return content(body)
  }
}

/// The body of a request before redaction: its bytes, or the reason why it isn't recorded.
enum RecordedContent: Sendable {
  case data(Data)
  case omitted(String)

  /// - Parameter limit: the size of the largest file to read, in bytes.
  init(_ request: TransportRequest, limit: Int) {
    let isCompressed = !request.headers.values(for: "Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    switch request.body {
    case .none:
      self = .data(Data())
    // Secrets can't be searched in compressed bytes.
    case _ where isCompressed:
      self = .omitted("compressed")
    case .data(let data):
      self = .data(data)
    case .file(let url):
      self = Data(regularFile: url, limit: limit).map { .data($0) } ?? .omitted("file")
    case .stream:
      self = .omitted("stream")
    }
  }

  var count: Int { if case .data(let data) = self { data.count } else { 0 } }

  func body(_ redaction: Redaction) -> Cassette.Body {
    switch self {
    case .data(let data): Cassette.Body(redaction.content(ofBody: data))
    case .omitted(let reason): .omitted(reason)
    }
  }
}

extension Data {
  /// The content of a regular file; `nil` for a pipe, which a read could block on, and for a larger file.
  init?(regularFile url: URL, limit: Int) {
    guard url.isFileURL,
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = (attributes[.size] as? NSNumber)?.intValue, size <= limit, let data = try? Data(contentsOf: url)
    else { return nil }
    self = data
  }
}

extension TransportRequest {
  /// The transport request for Foundation's form. Its fields are sorted, because a dictionary has no order, and two
  /// recordings of one request have to be equal.
  init(recordable request: URLRequest) {
    self.init(request)
    headers = HTTPHeaders(headers.sorted { $0.name < $1.name })
  }
}
