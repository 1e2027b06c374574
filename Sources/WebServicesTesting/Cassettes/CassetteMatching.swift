import Foundation
import WebServicesCore

/// Selects the recorded response for a request. Both requests are compared with their secrets hidden.
public enum CassetteMatching: Sendable {
  /// Requests must arrive in the recorded order, each once, with the same method, URL, body and relevant header fields.
  /// Relevant are content, preferences, conditions, ranges, and whether credentials are present. JSON bodies are
  /// compared by value, and multipart bodies without their boundary.
  case strict
  /// Requests may arrive in any order and must have the same method and path. Responses for the same request are used
  /// in their recorded order; the last one repeats.
  case loose
  /// A function compares the request with a recorded one. The order is free, as with ``loose``. The session calls the
  /// function on the thread that resumes a task.
  case custom(@Sendable (_ request: Cassette.Request, _ recorded: Cassette.Request) -> Bool)

  var isOrdered: Bool { if case .strict = self { true } else { false } }
}

/// A request reduced to the parts that `CassetteMatching.strict` compares. `difference(from:)` names the first part in
/// which two requests differ.
struct ComparableRequest: Sendable {
  /// The fields that change what a server responds: content, conditions, ranges and preferences.
  private static let comparedHeaders: Set<String> = [
    "accept", "content-type", "content-encoding", "range", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "if-range", "prefer",
  ]

  private let request: Cassette.Request
  private let headers: [String]
  private let body: Cassette.Body

  init(_ request: Cassette.Request) {
    self.request = request
    // A boundary is random, so it is removed wherever it occurs.
    let boundary = request.headers.contentType?.parameters["boundary"]
    // A placeholder shows that the request had credentials, so any field that has one is compared too.
    headers = request.headers.filter { field in
      Self.comparedHeaders.contains(field.name.lowercased()) || field.value == Redaction.placeholder
    }.map { "\($0.name.lowercased()): \($0.value.replacing(boundary))" }.sorted()
    body = Self.comparable(request.body, boundary: boundary)
  }

  /// The part that differs, in words; `nil` if the requests are equal.
  func difference(from other: ComparableRequest) -> String? {
    if request.method != other.request.method { return "the method" }
    if request.url != other.request.url { return "the URL" }
    if headers != other.headers {
      let different = Set(headers).symmetricDifference(other.headers).map { $0.prefix { $0 != ":" } }
      return "the header \(Set(different).sorted().joined(separator: ", "))"
    }
    return body == other.body ? nil : "the body"
  }

  private static func comparable(_ body: Cassette.Body, boundary: String?) -> Cassette.Body {
    // Latin-1 has a character for each byte.
    if let boundary {
      let text = String(String.UnicodeScalarView(body.data.map { Unicode.Scalar($0) })).replacing(boundary)
      return Cassette.Body(data: Data(text.utf8), omission: body.omission)
    }
    // An encoder may write the members of an object in any order.
    guard let json = try? JSONSerialization.jsonObject(with: body.data, options: .fragmentsAllowed),
      let data = try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed])
    else { return body }
    return Cassette.Body(data: data)
  }
}

extension String {
  fileprivate func replacing(_ boundary: String?) -> String {
    guard let boundary else { return self }
    return replacingOccurrences(of: boundary, with: "")
  }
}
