package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

// Conversions between the library's values and Foundation's.

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
    timeouts.idle = request.timeoutInterval.usableTimeout
  }
}

/// A timeout; `nil` for a value that isn't one.
extension TimeInterval { package var usableTimeout: TimeInterval? { isFinite && self > 0 ? self : nil } }

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
    httpMethod = request.method.rawValue
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

extension WebServiceResponse {
  /// Converts Foundation's response, which has fields in no order and joins those that repeat. `Set-Cookie` fields are
  /// separated again. Of names whose case differs, Foundation keeps only the last.
  ///
  /// - Parameter method: of the request; a response to `HEAD` keeps the fields that describe the content.
  package init(_ response: HTTPURLResponse, method: HTTPMethod?, url: URL, body: Data = Data()) {
    var headers = HTTPHeaders()
    for case (let name as String, let value as String) in response.allHeaderFields {
      let values = name.equalsIgnoringASCIICase("Set-Cookie") ? value.separatedCookies : [value]
      for value in values { headers.add(name: name, value: value) }
    }
    // Foundation joins equal lengths with a comma. Only one of them is kept.
    if let length = headers["Content-Length"]?.announcedLength { headers["Content-Length"] = String(length) }
    let status = response.statusCode
    let isDecoded = method != .head && status != 204 && status != 304 && headers.isDecoded
    if isDecoded { headers.removeDecoded() }
    self.init(statusCode: status, headers: headers, url: url, body: body)
    self.isDecoded = isDecoded
  }

  /// The head in Foundation's form; fields that repeat are joined.
  package var foundation: HTTPURLResponse? {
    var values: [String: [String]] = [:]
    for field in headers { values[field.name, default: []].append(field.value) }
    let joined = values.mapValues { $0.joined(separator: ", ") }
    return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: metrics?.httpVersion, headerFields: joined)
  }
}

extension HTTPHeaders {
  /// Foundation decodes these encodings, even if the caller requested them, and leaves the header fields unchanged.
  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

  /// Whether Foundation has undone the content's encoding.
  var isDecoded: Bool { !Self.decoded.isDisjoint(with: contentCodings) }

  /// Removes the fields that described the content before it was decoded.
  package mutating func removeDecoded() { remove(["Content-Encoding", "Content-Length"]) }
}

extension String {
  /// The cookies of `Set-Cookie` fields that were joined with commas. A comma within a date isn't followed by a name
  /// and an equals sign.
  fileprivate var separatedCookies: [String] {
    var cookies: [String] = []
    for part in components(separatedBy: ", ") {
      let name = part.prefix { $0 != "=" }
      let isCookie = name.endIndex < part.endIndex && name.utf8.isHTTPToken
      if let last = cookies.indices.last, !isCookie {
        cookies[last] += ", " + part
      } else {
        cookies.append(part)
      }
    }
    return cookies
  }
}

extension TransportError {
  /// Makes a session's error one of the library's.
  package init(
    sessionError error: any Error, response: WebServiceResponse?, from foundation: FoundationKind = Platform.foundation
  ) {
    if let error = error as? TransportError {
      self = error
      return
    }
    let bridged = error as NSError
    let code = (error as? URLError)?.code
    let words: String?
    let kind = error is CancellationError ? .cancelled : code.flatMap { Self.kinds[$0] } ?? .other
    var mayHaveReachedServer = !Self.unsentKinds.contains(kind) || response != nil
    switch foundation {
    case .apple: words = code.flatMap { Self.remedies[$0] }
    case .openSource:
      // The description is libcurl's message.
      words = TransportMessage.withoutUserInfo(bridged.localizedDescription)
      // Foundation makes the other codes of `errno`, which an earlier connection may have set.
      if kind != .nameLookup { mayHaveReachedServer = true }
    }
    self.init(
      kind, message: "\(bridged.domain) \(bridged.code)" + (words.map { ": \($0)" } ?? ""),
      mayHaveReachedServer: mayHaveReachedServer, response: response, underlying: error)
  }

  /// The error in Foundation's form, with this one underneath.
  package var foundation: URLError {
    .init(code, userInfo: [NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: message])
  }

  private var code: URLError.Code {
    switch kind {
    case .cancelled, .invalidated: .cancelled
    case .timedOut: .timedOut
    case .notConnected: .notConnectedToInternet
    case .nameLookup: .cannotFindHost
    case .cannotConnect, .refusedBySession: .cannotConnectToHost
    case .tls: .secureConnectionFailed
    case .connectionLost, .truncated: .networkConnectionLost
    case .badFraming, .notHTTPResponse: .badServerResponse
    case .badEncoding: .cannotDecodeContentData
    case .tooLarge: .dataLengthExceedsMaximum
    case .invalidRequest: .badURL
    case .file: .cannotOpenFile
    case .other: .unknown
    }
  }

  /// The remedies of errors that Apple's own descriptions don't explain.
  private static let remedies: [URLError.Code: String] = [
    .appTransportSecurityRequiresSecureConnection:
      "App Transport Security allows no http here; use https, or add the host to NSAppTransportSecurity in Info.plist",
    .secureConnectionFailed:
      "the TLS handshake failed; App Transport Security also refuses TLS below 1.2 and ciphers without forward secrecy",
    .serverCertificateUntrusted: "the server's certificate isn't trusted, or is for another host",
    .clientCertificateRequired: "the server asks for a client certificate; set clientCertificate of the transport",
  ]

  /// The kinds of errors before the request is sent.
  private static let unsentKinds: Set<Kind> = [.notConnected, .nameLookup, .cannotConnect, .tls, .invalidRequest]

  /// The kinds of Foundation's errors. Each other error is of the kind `.other`.
  private static let kinds: [URLError.Code: Kind] = [
    .cancelled: .cancelled, .timedOut: .timedOut(.whole), .networkConnectionLost: .connectionLost,
    .notConnectedToInternet: .notConnected, .dataNotAllowed: .notConnected, .internationalRoamingOff: .notConnected,
    .callIsActive: .notConnected, .cannotFindHost: .nameLookup, .dnsLookupFailed: .nameLookup,
    .cannotConnectToHost: .cannotConnect, .secureConnectionFailed: .tls, .serverCertificateHasBadDate: .tls,
    .serverCertificateUntrusted: .tls, .serverCertificateHasUnknownRoot: .tls, .serverCertificateNotYetValid: .tls,
    .clientCertificateRejected: .tls, .clientCertificateRequired: .tls, .badServerResponse: .badFraming,
    .cannotParseResponse: .badFraming, .cannotDecodeRawData: .badEncoding, .cannotDecodeContentData: .badEncoding,
    .dataLengthExceedsMaximum: .tooLarge, .badURL: .invalidRequest,
    .appTransportSecurityRequiresSecureConnection: .invalidRequest, .fileDoesNotExist: .file,
    .noPermissionsToReadFile: .file, .cannotOpenFile: .file,
    // The URL has been checked. Foundation on Linux gives this error for a response that isn't HTTP, too.
    .unsupportedURL: .badFraming,
  ]
}
