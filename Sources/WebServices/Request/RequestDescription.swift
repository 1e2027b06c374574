import Foundation

/// The first station: makes of a request data and a configuration what can be sent, or says why it can't.
enum RequestDescription {
  /// Why a request can't be sent as it is described.
  struct Failure: Error {
    let kind: WebServiceError.Kind
    let message: String
    var underlying: (any Error)?
  }

  /// - Parameters:
  ///   - options: the request's own.
  ///   - accept: the media types that will be understood.
  ///   - base: the configuration's base URL, taken apart.
  static func transportRequest(
    for data: some WebServiceRequestData, options: RequestOptions, accept: String, base: RequestURL.Base?,
    configuration: WebServiceConfiguration
  ) throws(Failure) -> TransportRequest {
    let method = data.method
    guard method.isValid else {
      throw Failure(kind: .invalidRequest, message: "the method is not a token")
    }
    let timeout = try checkedTimeout(options.timeout ?? configuration.timeout)
    let url = try url(for: data, base: base, configuration: configuration)
    let body = data.body
    let headers = try headers(for: data, contentType: body?.contentType, accept: accept, configuration: configuration)
    return TransportRequest(
      method: method, url: url, headers: headers,
      body: try content(of: body, encoder: options.encoder ?? configuration.encoder),
      timeouts: TransportTimeouts(whole: timeout),
      destination: .memory(limit: configuration.responseLimit))
  }

  /// Foundation traps on a timeout that is infinite or no number; half a year is as good as for ever.
  private static func checkedTimeout(_ timeout: TimeInterval) throws(Failure) -> TimeInterval {
    guard timeout > 0, timeout <= 15_768_000 else {
      throw Failure(
        kind: .invalidRequest, message: "the timeout of \(timeout) s is not between 0 and half a year")
    }
    return timeout
  }

  private static func url(
    for data: some WebServiceRequestData, base: RequestURL.Base?, configuration: WebServiceConfiguration
  ) throws(Failure) -> URL {
    do {
      return try RequestURL.make(
        path: data.path, base: base,
        queryItems: configuration.queryItems + data.queryItems)
    } catch {
      throw Failure(kind: .badURL, message: error.reason)
    }
  }

  private static func headers(
    for data: some WebServiceRequestData, contentType: String?, accept: String,
    configuration: WebServiceConfiguration
  ) throws(Failure) -> HTTPHeaders {
    var headers = configuration.headers
    headers.merge(data.headers)
    if let contentType, headers["Content-Type"] == nil {
      headers.add(name: "Content-Type", value: contentType)
    }
    if headers["Accept"] == nil {
      headers.add(name: "Accept", value: accept)
    }
    if let field = headers.firstInvalidField {
      throw Failure(
        kind: .invalidRequest,
        message: field.name.utf8.isHTTPToken
          ? "the value of the header \(field.name) holds a control character"
          : "the name of a header is not a token")
    }
    return headers
  }

  private static func content(of body: RequestBody?, encoder: JSONEncoder) throws(Failure) -> TransportBody {
    guard let body else { return .none }
    do {
      return try body.content(encoder: encoder)
    } catch {
      throw Failure(kind: .invalidRequest, message: "the body can't be encoded", underlying: error)
    }
  }
}
