import Foundation
import WebServices

/// The lines that the terminal shows for a response: its head, timings and content.
struct ResponseReport: Equatable, Sendable {
  /// The content of the response, by the way in which it is printed.
  enum Content: Equatable, Sendable {
    case none
    case json(String)
    case text(String)
    case binary(Int)

    init(_ response: WebServiceResponse) {
      let type = response.headers["Content-Type"].flatMap { MediaType($0) }
      if response.body.isEmpty {
        self = .none
      } else if type?.isJSON == true, let json = JSONLayout.pretty(response.body) {
        self = .json(json)
      } else {
        self = Self.text(of: response).map(Content.text) ?? .binary(response.body.count)
      }
    }

    /// The content as text; `nil` if the bytes aren't text, even if the content type names a text type.
    private static func text(of response: WebServiceResponse) -> String? {
      guard !response.body.contains(0), let text = try? ResponseParser.text.parse(response) else { return nil }
      return text.replacingOccurrences(of: "\r\n", with: "\n")
    }
  }

  /// The status and the header fields, with credentials hidden.
  let head: [String]
  /// The duration of each phase, and the connection.
  let timings: [String]
  let content: Content

  init(_ response: WebServiceResponse, redaction: Redaction = .standard) {
    let version = response.metrics?.httpVersion ?? "HTTP"
    let reason = ItemCollection.name(of: response.statusCode).map { " \($0)" } ?? ""
    let fields = response.headers.map { field in
      let value = redaction.hides(header: field.name) ? Redaction.placeholder : field.value
      return Wording.oneLine("\(field.name): \(value)")
    }
    head = ["\(version) \(response.statusCode)\(reason)"] + fields
    timings = response.metrics.map(Self.timings) ?? []
    content = Content(response)
  }

  /// - Parameter outputFile: the file that received the content; `nil` prints the content.
  func lines(outputFile: String?, bodySize: Int) -> [String] {
    var lines = head + [""]
    if !timings.isEmpty { lines += timings + [""] }
    if let outputFile {
      lines.append("\(Wording.count(bodySize, "byte")) written to \(Wording.oneLine(outputFile)).")
      return lines
    }
    switch content {
    case .none: lines.append("No content.")
    case .json(let text), .text(let text): lines.append(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    case .binary(let count): lines.append("\(Wording.count(count, "byte")) of binary content.")
    }
    return lines
  }

  private static func timings(_ metrics: TransportMetrics) -> [String] {
    var last: TimeInterval = 0
    // Each mark counts from the start of the transfer, so a phase is the time since the mark before.
    let marks = [
      ("name look-up", metrics.nameLookup), ("connect", metrics.connect), ("TLS", metrics.tls),
      ("first byte", metrics.firstByte), ("body", metrics.total),
    ]
    let phases = marks.compactMap { name, mark -> String? in
      guard let mark else { return nil }
      defer { last = max(last, mark) }
      return "\(name) \(Wording.milliseconds(mark - last))"
    }
    let connection = metrics.isReusedConnection ? "a reused connection" : "a new connection"
    let address = metrics.remoteAddress.map { " to \($0)" } ?? ""
    return [
      (phases + ["total \(Wording.milliseconds(metrics.total))"]).joined(separator: ", "),
      "\(connection)\(address); \(Wording.count(Int(metrics.bytesSent), "byte")) sent,"
        + " \(Wording.count(Int(metrics.bytesReceived), "byte")) received",
    ]
  }
}
