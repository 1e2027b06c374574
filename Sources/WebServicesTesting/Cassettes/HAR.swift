import Foundation
import WebServicesCore

/// The members of a HAR 1.2 file that a cassette reads. Other members are ignored, such as `pages` and `cookies`: the
/// header fields have the cookies too.
struct HAR: Decodable {
  struct Log: Decodable {
    var entries: [Entry]
  }

  struct Entry: Decodable {
    var startedDateTime: String?
    var time: Double?
    var request: Request
    var response: Response
  }

  struct Request: Decodable {
    var method: String
    var url: String
    var headers: [Item]?
    var postData: Content?
  }

  struct Response: Decodable {
    /// 0 if no response arrived.
    var status: Int
    var headers: [Item]?
    var content: Content?
    var _isDecoded: Bool?
    /// The reason of a failure, which browsers and mitmproxy write too.
    var _error: String?
    /// The other parts of a failure, which only this library writes.
    var _kind: String?
    var _mayHaveReachedServer: Bool?
    var _isStaleConnection: Bool?
  }

  struct Item: Decodable {
    var name: String
    var value: String?
  }

  struct Content: Decodable {
    var mimeType: String?
    var size: Int?
    var text: String?
    /// `base64`, in a request too, as the proposal for HAR 1.3 has it.
    var encoding: String?
    var params: [Item]?
    /// The reason why this library didn't record the body.
    var _omitted: String?
  }

  var log: Log

  func cassette() throws(CassetteError) -> Cassette {
    let formatter = ISO8601DateFormatter()
    var last = Date.distantPast
    var dated: [(start: Date, exchange: Cassette.Exchange)] = []
    for (index, entry) in log.entries.enumerated() {
      // An entry without a readable date stays behind the one before it.
      last = entry.startedDateTime.flatMap(formatter.date(fromAnyPrecision:)) ?? last
      dated.append((last, try entry.exchange(at: "log.entries[\(index)]")))
    }
    // Some exports have the order in which the responses arrived, or the order of the pages.
    return Cassette(exchanges: dated.sorted { $0.start < $1.start }.map(\.exchange))
  }
}

extension HAR.Entry {
  fileprivate func exchange(at place: String) throws(CassetteError) -> Cassette.Exchange {
    let request = Cassette.Request(
      method: HTTPMethod(rawValue: request.method), url: request.url,
      headers: try HTTPHeaders(request.headers, at: "\(place).request.headers"),
      body: try request.postData?.body(at: "\(place).request.postData") ?? .none)
    let place = "\(place).response"
    let response = response.status == 0 ? nil : try response.response(at: place)
    return Cassette.Exchange(
      request: request, response: response, failure: try self.response.failure(at: place),
      started: startedDateTime ?? "", time: time ?? 0)
  }
}

extension HAR.Response {
  /// Whether no response arrived, or only a part of one.
  private var isFailure: Bool { status == 0 || _kind != nil || _error?.isEmpty == false }

  fileprivate func failure(at place: String) throws(CassetteError) -> Cassette.Failure? {
    guard isFailure else { return nil }
    let name = _kind ?? TransportError.Kind.connectionLost.name
    guard let kind = TransportError.Kind.all.first(where: { $0.name == name }) else {
      throw .damaged("at \(place)._kind: \"\(name)\" is no kind of failure")
    }
    return Cassette.Failure(
      kind: kind, message: _error ?? "the recorded request got no response",
      mayHaveReachedServer: _mayHaveReachedServer ?? true, isStaleConnection: _isStaleConnection ?? false)
  }

  fileprivate func response(at place: String) throws(CassetteError) -> Cassette.Response {
    guard (100...999).contains(status) else { throw .damaged("at \(place).status: \(status) is none") }
    var headers = try HTTPHeaders(headers, at: "\(place).headers")
    let body = try content?.body(at: "\(place).content") ?? .none
    // The text is already decoded, unless the body is still gzip, as our recordings have it where a caller asked for
    // it.
    let isDecoded = headers["Content-Encoding"] != nil && body != .none && !body.data.starts(with: [0x1F, 0x8B])
    if isDecoded { headers.removeDecoded() }
    if body != .none, content?.encoding != "base64", !headers.isUTF8, let type = headers.contentType {
      let parameters = type.parameters.merging(["charset": "utf-8"]) { $1 }
      headers.contentType = HTTPHeaders.MediaType(type: type.type, subtype: type.subtype, parameters: parameters)
    }
    var response = Cassette.Response(
      status: status, headers: headers, body: body, isDecoded: isDecoded || _isDecoded == true)
    // A part keeps the length of the whole.
    if !isFailure, !body.data.isEmpty { response.correctLength() }
    return response
  }
}

extension HAR.Content {
  fileprivate func body(at place: String) throws(CassetteError) -> Cassette.Body {
    if let _omitted { return Cassette.Body(omission: _omitted) }
    let text = text ?? ""
    if text.isEmpty, let params {
      // The boundary and the files of other forms aren't in the list.
      guard mimeType?.hasPrefix("multipart") != true else {
        return Cassette.Body(omission: "the export has no text of the form")
      }
      let pairs = params.map { "\($0.name.percentEncoded(.form))=\(($0.value ?? "").percentEncoded(.form))" }
      return Cassette.Body(data: Data(pairs.joined(separator: "&").utf8))
    }
    if self.text == nil, let size, size > 0 {
      return Cassette.Body(
        omission: "the export has none of \(size) bytes, so export it again with the content of responses")
    }
    guard encoding == "base64" else { return Cassette.Body(data: Data(text.utf8)) }
    guard let data = Data(base64Encoded: text) else { throw .damaged("at \(place).text: the text is no Base64") }
    return Cassette.Body(data: data)
  }
}

extension HTTPHeaders {
  /// Whether text of this type is UTF-8.
  var isUTF8: Bool { ["utf-8", "utf8", "us-ascii"].contains(contentType?.charset?.lowercased() ?? "utf-8") }

  fileprivate init(_ items: [HAR.Item]?, at place: String) throws(CassetteError) {
    self.init()
    // A colon begins the pseudo header fields of HTTP/2.
    for (index, item) in (items ?? []).enumerated() where !item.name.hasPrefix(":") {
      // Browsers join the fields of one name with line breaks. Other marks of a line's end may stand in a value.
      let lines = (item.value ?? "").split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      for line in lines {
        let field = Field(name: item.name, value: line.trimmingFieldWhitespace)
        guard HTTPHeaders([field]).firstInvalidField == nil else {
          throw .damaged("at \(place)[\(index)]: the text is no header field")
        }
        add(name: field.name, value: field.value)
      }
    }
  }
}

extension ISO8601DateFormatter {
  /// The date with any number of digits behind the second's point, which differs between exporters.
  fileprivate func date(fromAnyPrecision text: String) -> Date? {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return date(from: text) }
    let fraction = parts[1].prefix { $0.isASCII && $0.isNumber }
    return date(from: String(parts[0] + parts[1].dropFirst(fraction.count)))
      .map { $0 + (Double("0.\(fraction)") ?? 0) }
  }
}

extension TransportError.Kind {
  fileprivate static let all: [TransportError.Kind] = [
    .cancelled, .invalidated, .timedOut(.connect), .timedOut(.idle), .timedOut(.whole), .notConnected, .nameLookup,
    .cannotConnect, .tls, .connectionLost, .truncated, .badFraming, .badEncoding, .tooLarge, .notHTTPResponse,
    .invalidRequest, .file, .refusedBySession, .other,
  ]

  /// The word in files, such as `timedOut.connect`.
  var name: String { "\(self)".replacingOccurrences(of: "(", with: ".").replacingOccurrences(of: ")", with: "") }
}
