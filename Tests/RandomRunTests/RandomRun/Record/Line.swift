import Foundation

/// One line of every response's content: it says what it answers and for whom.
struct Line: Codable, Hashable, Sendable {
  /// The call or the resource.
  var target: String
  /// The identity in the request's token; -1 for none.
  var identity: Int
  /// The `Host` field of the request.
  var host: String
  var index: Int
  /// How many lines the response has.
  var count: Int
  var filler: String

  static func content(target: String, identity: Int, host: String, count: Int) -> [String] {
    (0..<count).map { index in
      let filler = String(repeating: "f", count: index % 7 * 20)
      return #"{"target":"\#(target)","identity":\#(identity),"host":"\#(host)","index":\#(index),"#
        + #""count":\#(count),"filler":"\#(filler)"}"#
    }
  }
}

/// The part of a response that a client was given.
struct Delivery: Hashable, Sendable {
  var status: Int?
  /// The number that the server has given the request, as `origin.order`.
  var reception: String?
  /// The request behind whose response it came, where it is one that nobody asked for.
  var pushed: String?
  var targets: Set<String> = []
  var identities: Set<Int> = []
  var hosts: Set<String> = []
  /// Whether the content is the whole of what the server had to send; `nil` where nothing was read.
  var isWhole: Bool?

  init() {}

  /// - Parameter bytes: the content.
  init(_ bytes: Data) {
    self.init(bytes.split(separator: UInt8(ascii: "\n")).map { try? JSONDecoder().decode(Line.self, from: $0) })
  }

  /// - Parameter lines: the lines in the order in which they came; `nil` for one that is none.
  init(_ lines: [Line?]) {
    let known = lines.compactMap { $0 }
    targets = Set(known.map(\.target))
    identities = Set(known.map(\.identity))
    hosts = Set(known.map(\.host))
    isWhole = known.count == lines.count && known.map(\.index) == Array(0..<(known.first?.count ?? 0))
  }
}
