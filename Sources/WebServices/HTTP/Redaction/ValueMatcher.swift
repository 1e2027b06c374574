/// Finds any number of values in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
///
/// The time grows with the length of the text and of the values, and with nothing else: neither with their number nor
/// with what they begin with.
struct ValueMatcher: Sendable {
  /// A beginning of at least one value. The node at index 0 is the empty beginning.
  private struct Node: Sendable {
    var parent = 0
    var byte: UInt8 = 0
    /// The length of the beginning.
    var depth = 0
    /// The length of the longest value that ends here; 0 if none does.
    var matched = 0
    /// The longest other beginning that ends here too.
    var fallback = 0
  }

  private var nodes = [Node()]
  /// The node that follows a node and a byte, by both.
  private var edges: [Int: Int] = [:]

  /// Whether a byte begins a value. Most bytes of a text begin none, and need no look-up.
  private var beginsValue = [Bool](repeating: false, count: 256)

  /// - Parameter values: none of them empty.
  init(_ values: some Sequence<[UInt8]>) {
    for value in values {
      let end = value.reduce(0) { child(of: $0, Self.folded($1)) }
      nodes[end].matched = nodes[end].depth
    }
    // The short beginnings first: a fallback is always shorter.
    for index in nodes.indices.dropFirst().sorted(by: { nodes[$0].depth < nodes[$1].depth }) {
      let node = nodes[index]
      let fallback = node.parent == 0 ? 0 : next(after: nodes[node.parent].fallback, node.byte)
      nodes[index].fallback = fallback
      nodes[index].matched = max(node.matched, nodes[fallback].matched)
    }
  }

  /// The ranges of all values, which may overlap. At the end of the text the beginning of a value counts too, because
  /// the text may have been cut there.
  ///
  /// - Parameter shortest: the fewest bytes of a beginning that counts.
  func ranges(in bytes: [UInt8], shortest: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var node = 0
    for (index, byte) in bytes.enumerated() {
      node = next(after: node, Self.folded(byte))
      if nodes[node].matched > 0 { found.append((index + 1 - nodes[node].matched)..<(index + 1)) }
    }
    if nodes[node].depth >= shortest { found.append((bytes.count - nodes[node].depth)..<bytes.count) }
    return found
  }

  /// A form writes a space as a plus sign, and a host or a charset is written in lower case.
  private static func folded(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte.asciiLowercased }

  private mutating func child(of parent: Int, _ byte: UInt8) -> Int {
    if let child = edges[parent << 8 | Int(byte)] { return child }
    edges[parent << 8 | Int(byte)] = nodes.count
    if parent == 0 { beginsValue[Int(byte)] = true }
    nodes.append(Node(parent: parent, byte: byte, depth: nodes[parent].depth + 1))
    return nodes.count - 1
  }

  /// The longest beginning that ends with this byte.
  private func next(after node: Int, _ byte: UInt8) -> Int {
    var node = node
    while true {
      if node == 0, !beginsValue[Int(byte)] { return 0 }
      if let child = edges[node << 8 | Int(byte)] { return child }
      node = nodes[node].fallback
    }
  }
}
