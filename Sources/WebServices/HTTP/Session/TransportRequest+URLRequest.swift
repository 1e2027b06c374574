#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension TransportRequest {
  /// Makes the request of a transfer from a `URLRequest`.
  package init(_ request: URLRequest) {
    // A transport refuses this URL, because it isn't an `http` or `https` URL.
    let url = request.url ?? URL(fileURLWithPath: "/")
    self.init(method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: url)
    for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.add(name: name, value: value) }
    if let data = request.httpBody {
      body = .data(data)
    } else if let stream = request.httpBodyStream {
      body = .stream(InputStreamBody(stream))
    }
    let idle = request.timeoutInterval
    timeouts.idle = idle.isFinite && idle > 0 ? idle : nil
  }
}

extension WebServiceResponse {
  /// The head in Foundation's form; fields that repeat are joined.
  package var foundation: HTTPURLResponse? {
    var values: [String: [String]] = [:]
    for field in headers { values[field.name, default: []].append(field.value) }
    let joined = values.mapValues { $0.joined(separator: ", ") }
    return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: metrics?.httpVersion, headerFields: joined)
  }
}

extension URLRequest {
  /// Makes a `URLRequest` of a transfer's request, for a session that takes no `TransportRequest`.
  ///
  /// - Parameter request: its body is in memory.
  package init(
    _ request: TransportRequest, for foundation: FoundationKind = Platform.foundation
  ) throws(TransportError) {
    try request.checkHead()
    let timeouts = try request.timeouts.checked()
    self.init(url: request.url)
    if request.method != .get { httpMethod = request.method.rawValue }
    // Apple's Foundation counts from byte to byte, others count the whole, whose time the engine limits.
    let idle = foundation == .apple ? timeouts.idle : nil
    timeoutInterval = idle?.rounded(.up) ?? TransportRequest.Timeouts.longest
    httpShouldHandleCookies = false
    for field in request.headers where !field.isFraming { addValue(field.value, forHTTPHeaderField: field.name) }
    if case .data(let data) = request.body { httpBody = data }
  }
}

extension HTTPHeaders.Field {
  /// Whether the field sets the length of the content, which is the transport's decision.
  package var isFraming: Bool {
    name.equalsIgnoringASCIICase("Content-Length") || name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  /// Whether the value has nothing but white space.
  package var isBlank: Bool { value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// The stream of a `URLRequest`, which can be read once. Unchecked, because `InputStream` isn't `Sendable`: the calls
/// come one at a time.
private final class InputStreamBody: TransportBody.Stream, TransportBody.Reader, @unchecked Sendable {
  private let stream: InputStream
  let length: Int64? = nil
  let isReplayable = false

  init(_ stream: InputStream) { self.stream = stream }

  func makeReader() throws -> any TransportBody.Reader {
    guard stream.streamStatus == .notOpen else {
      throw BodyFailure(description: "the body's stream has been read already")
    }
    stream.open()
    return self
  }

  func read(upTo count: Int) throws -> Data {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = stream.read(&bytes, maxLength: count)
    // The error isn't `streamError`, because Foundation traps if there is none.
    if result < 0 { throw BodyFailure(description: "the body's stream can't be read") }
    return Data(bytes[..<result])
  }

  func close() { stream.close() }
}
