package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

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
    if let text = headers["Content-Length"], text.httpNumber == nil, let length = text.announcedLength {
      headers["Content-Length"] = String(length)
    }
    let status = response.statusCode
    let isDecoded = method != .head && status != 204 && status != 304 && headers.isDecoded
    if isDecoded { headers.removeDecoded() }
    self.init(statusCode: status, headers: headers, url: url, body: body)
    // Each change of a response makes a new object, so the usual value isn't set.
    if isDecoded { self.isDecoded = true }
  }
}

extension HTTPHeaders {
  /// Foundation decodes these encodings, even if the caller requested them, and leaves the header fields unchanged.
  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

  /// Whether Foundation has undone the content's encoding.
  var isDecoded: Bool {
    guard let encoding = self["Content-Encoding"] else { return false }
    return encoding.split(separator: ",").contains { part in
      Self.decoded.contains(part.trimmingCharacters(in: .whitespaces).lowercased())
    }
  }

  /// Removes the fields that described the content before it was decoded.
  package mutating func removeDecoded() {
    remove("Content-Encoding")
    remove("Content-Length")
  }
}

extension String {
  /// The cookies of `Set-Cookie` fields that were joined with commas. A comma within a date isn't followed by a name
  /// and an equals sign.
  fileprivate var separatedCookies: [String] {
    var cookies: [String] = []
    for part in components(separatedBy: ", ") {
      let name = part.prefix { $0 != "=" && $0 != ";" }
      let isCookie = name.utf8.isHTTPToken && name.endIndex < part.endIndex && part[name.endIndex] == "="
      if let last = cookies.indices.last, !isCookie {
        cookies[last] += ", " + part
      } else {
        cookies.append(part)
      }
    }
    return cookies
  }
}
