import Foundation

/// One line of a response's content, which names its request.
struct Line: Codable, Sendable {
  var target: String
  var index: Int
  /// The number of lines in the response.
  var count: Int
  var filler: String

  static func content(target: String, count: Int) -> [String] {
    (0..<count).map { index in
      let filler = String(repeating: "f", count: index % 7 * 20)
      return #"{"target":"\#(target)","index":\#(index),"count":\#(count),"filler":"\#(filler)"}"#
    }
  }
}

/// The content that a client received.
struct Delivery: Sendable {
  /// The server's number of the request, as `origin.order`.
  var reception: String?
  /// The request after whose response the bytes came, if nobody requested them.
  var pushed: String?
  var targets: Set<String> = []
  /// Whether the content is complete; `nil` if nothing was read.
  var isWhole: Bool?

  init() {}

  /// - Parameter bytes: the content.
  init(_ bytes: Data) {
    self.init(bytes.split(separator: UInt8(ascii: "\n")).map { try? JSONDecoder().decode(Line.self, from: $0) })
  }

  /// - Parameter lines: the lines in the order of their arrival; `nil` for an invalid line.
  init(_ lines: [Line?]) {
    let known = lines.compactMap { $0 }
    targets = Set(known.map(\.target))
    isWhole = known.count == lines.count && known.map(\.index) == Array(0..<(known.first?.count ?? 0))
  }
}
