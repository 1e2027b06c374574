import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A checked request in a form that Foundation sends correctly. The transfer creates the plan on the caller's thread,
/// before anything is sent.
struct FoundationRequestPlan: Sendable {
  /// The request without its body.
  let request: URLRequest
  let timeouts: TransportRequest.Timeouts
  /// The origin of the URL if the request needs a new connection; `nil` if the request may reuse a connection.
  let ownHost: String?

  /// Checks the request, and throws for a value that Foundation would change or drop.
  init(
    _ original: TransportRequest, settings: FoundationSettings, for foundation: FoundationKind = Platform.foundation
  ) throws(TransportError) {
    if let refusal = settings.refusal { throw refusal }
    try original.checkHead()
    timeouts = try original.timeouts.checked(defaults: settings.timeouts)
    let target = try original.checkedTarget(settingOfTLS: settings.settingOfTLS)
    guard let url = URL(string: target.text), url.host?.isEmpty == false else {
      throw .invalid("Foundation can't read the URL")
    }
    // On Linux Foundation fails such URLs with -1000, "bad URL".
    if foundation == .openSource, target.origin.host.hasPrefix("[") {
      throw .invalid("Foundation can't reach a host that is an IPv6 address")
    }
    var hasBody = true
    if case .none = original.body { hasBody = false }
    if hasBody, original.method == .get { throw .invalid("Foundation sends no body with GET") }
    if hasBody, original.method == .head { throw .invalid("a HEAD request has no body") }
    // On Linux each request gets a new connection. When a reused connection is closed, libcurl sends again, but Foundation
    // doesn't rewind the body. Foundation would also read bytes that arrived on an idle connection as the response.
    ownHost = foundation == .openSource || original.needsNewConnection ? target.origin.text : nil
    var headers = original.headers
    for field in settings.headers where headers[field.name] == nil { headers.add(name: field.name, value: field.value) }
    if headers.firstInvalidField != nil {
      throw .invalid("the configuration's headers contain characters that aren't allowed")
    }
    var request = URLRequest(url: url)
    request.httpMethod = original.method.rawValue
    // `FoundationTimers` enforces the timeouts, because Foundation on Linux rounds them down to whole seconds.
    request.timeoutInterval = TransportRequest.Timeouts.longest
    request.httpShouldHandleCookies = false
    request.setFields(headers, hasBody: hasBody, for: foundation)
    self.request = request
  }
}

extension URLRequest {
  fileprivate mutating func setFields(_ headers: HTTPHeaders, hasBody: Bool, for foundation: FoundationKind) {
    for field in headers where !field.isFraming {
      // On Linux libcurl would, after a 417, send the request again without the field.
      if foundation == .openSource, field.name.equalsIgnoringASCIICase("Expect") { continue }
      addValue(field.isBlank ? "" : field.value, forHTTPHeaderField: field.name)
    }
    switch foundation {
    case .openSource:
      // Foundation adds these fields by itself. libcurl leaves out a field whose value is one space.
      for name in ["User-Agent", "Accept-Language", "Connection", "Content-Type"] where headers[name] == nil {
        setValue(" ", forHTTPHeaderField: name)
      }
      if hasBody { setValue(" ", forHTTPHeaderField: "Expect") }
      // Foundation decodes all compressed content, and reports success for content that is cut off.
      if headers["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    case .apple:
      // Without `identity`, servers may compress the content and ignore the range.
      if headers["Range"] != nil, headers["Accept-Encoding"] == nil {
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      }
      // Without a type, Foundation would declare the body of a POST as a form.
      if hasBody, headers["Content-Type"] == nil {
        setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
      }
    }
  }
}
