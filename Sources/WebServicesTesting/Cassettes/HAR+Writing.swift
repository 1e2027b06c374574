import Foundation
import WebServicesCore

extension Cassette {
  /// The cassette as HAR 1.2, with every member that the specification requires.
  var har: JSONValue {
    let creator: JSONValue = ["name": "FeatherRESTClient", "version": "1"]
    return ["log": ["version": "1.2", "creator": creator, "entries": .array(exchanges.map(\.har))]]
  }
}

extension Cassette.Exchange {
  fileprivate var har: JSONValue {
    [
      "startedDateTime": .string(started), "time": .number(time), "request": request.har, "response": responseHAR,
      "cache": [:], "timings": ["send": 0, "wait": .number(time), "receive": 0],
    ]
  }

  private var responseHAR: JSONValue {
    let response = response ?? Cassette.Response(status: 0)
    var members = response.body.members(with: response.headers, as: "content")
    members["status"] = .integer(Int64(response.status))
    members["statusText"] = ""
    members["redirectURL"] = .string(response.headers["Location"] ?? "")
    if response.isDecoded { members["_isDecoded"] = true }
    members["_error"] = failure.map { .string($0.message) }
    members["_kind"] = failure.map { .string($0.kind.name) }
    members["_mayHaveReachedServer"] = failure.map { .bool($0.mayHaveReachedServer) }
    if failure?.isStaleConnection == true { members["_isStaleConnection"] = true }
    return .object(members)
  }
}

extension Cassette.Request {
  fileprivate var har: JSONValue {
    let items = ((try? URLReference(url))?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    var members = body.members(with: headers, as: body == .none ? nil : "postData")
    members["method"] = .string(method.rawValue)
    members["url"] = .string(url)
    members["queryString"] = .har(items)
    return .object(members)
  }
}

extension Cassette.Body {
  /// The members that requests and responses have in common.
  ///
  /// - Parameter name: the member for the body; `nil` leaves it out.
  fileprivate func members(with headers: HTTPHeaders, as name: String?) -> [String: JSONValue] {
    var content: [String: JSONValue] = [
      "mimeType": .string(headers["Content-Type"] ?? ""), "size": .integer(Int64(data.count)), "text": "",
    ]
    content["_omitted"] = omission.map { .string($0) }
    // A reader of text in another charset would take the text for decoded.
    if headers.isUTF8, let text {
      content["text"] = .string(text)
    } else {
      content.merge(["text": .string(data.base64EncodedString()), "encoding": "base64"]) { $1 }
    }
    var members: [String: JSONValue] = [
      "httpVersion": "HTTP/1.1", "cookies": [], "headersSize": -1, "bodySize": -1,
      "headers": .har(headers.map { ($0.name, $0.value) }),
    ]
    if let name { members[name] = .object(content) }
    return members
  }
}

extension JSONValue {
  fileprivate static func har(_ pairs: [(name: String, value: String)]) -> JSONValue {
    .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
  }
}
