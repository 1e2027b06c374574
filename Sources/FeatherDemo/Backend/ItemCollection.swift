import WebServicesTesting

/// One element of the paged collection.
struct Item: Codable, Equatable, Sendable {
  var id: Int
  var name: String
}

/// One page of the collection.
struct ItemPage: Codable, Equatable, Sendable {
  var items: [Item]
  /// The number of items in the whole collection.
  var total: Int
}

/// A collection of HTTP's status codes (RFC 9110 section 15, RFC 6585, RFC 7725).
enum ItemCollection {
  static let all: [Item] = names.map { Item(id: $0, name: $1) }

  static func page(offset: Int, limit: Int) -> ItemPage {
    ItemPage(items: Array(all.dropFirst(max(0, offset)).prefix(max(0, limit))), total: all.count)
  }

  /// The name of a status code; `nil` if the collection doesn't contain the code.
  static func name(of code: Int) -> String? {
    all.first { $0.id == code }?.name
  }

  private static let names: KeyValuePairs<Int, String> = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
    203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    511: "Network Authentication Required",
  ]
}

extension DemoBackend {
  static func items(_ request: LoopbackServer.Request) -> Reply {
    let (offset, limit) = (Int(request.query("offset") ?? "0"), Int(request.query("limit") ?? "10"))
    guard let offset, let limit, offset >= 0, Arguments.pageSizeRange.contains(limit) else {
      let range = Arguments.pageSizeRange
      return refusal(
        400, "offset must be a number, and limit one from \(range.lowerBound) to \(range.upperBound).")
    }
    return success(ItemCollection.page(offset: offset, limit: limit))
  }
}
