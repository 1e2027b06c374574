/// Finds any number of values in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
///
/// The time grows with the length of the text and of the values, and with nothing else: neither with their number nor
/// with what they begin with.
struct ValueMatcher: Sendable {
  /// A beginning of at least one value. The node at index 0 is the empty beginning.
  private struct Node: Sendable {
    var byte: UInt8 = 0
    /// The length of the beginning.
    var depth: Int32 = 0
    /// The length of the longest value that ends here; 0 if none does.
    var matched: Int32 = 0
    /// The longest other beginning that ends here too.
    var fallback: Int32 = 0
    /// The first of the beginnings that are one byte longer, and the next one beside this. 0 means none.
    var child: Int32 = 0
    var sibling: Int32 = 0
  }

  private var nodes = [Node()]
  /// The beginnings of one byte. Most bytes of a text begin no value, so these are found without a search.
  private var roots = [Int32](repeating: 0, count: 256)
  /// The number of nodes that the searches looked at, which tests compare.
  private(set) var steps = 0

  /// - Parameter values: none of them empty.
  init(_ values: some Sequence<String>) {
    for value in values {
      let end = value.utf8.reduce(0) { node, byte in child(of: node, Self.folded(byte)) ?? addChild(to: node, byte) }
      nodes[end].matched = nodes[end].depth
    }
    setFallbacks()
  }

  /// The ranges of all values, which may overlap. At the end of the text the beginning of a value counts too, because
  /// the text may have been cut there.
  ///
  /// - Parameter shortest: the fewest bytes of a beginning that counts.
  mutating func ranges(in bytes: [UInt8], shortest: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var node = 0
    for (index, byte) in bytes.enumerated() {
      node = next(after: node, Self.folded(byte))
      let length = Int(nodes[node].matched)
      if length > 0 { found.append((index + 1 - length)..<(index + 1)) }
    }
    let cut = Int(nodes[node].depth)
    if cut >= shortest { found.append((bytes.count - cut)..<bytes.count) }
    return found
  }

  /// A form writes a space as a plus sign.
  private static func folded(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte }

  private mutating func child(of node: Int, _ byte: UInt8) -> Int? {
    steps += 1
    var child = Int(node == 0 ? roots[Int(byte)] : nodes[node].child)
    while child > 0, nodes[child].byte != byte {
      steps += 1
      child = Int(nodes[child].sibling)
    }
    return child > 0 ? child : nil
  }

  private mutating func addChild(to parent: Int, _ byte: UInt8) -> Int {
    var node = Node(byte: Self.folded(byte), depth: nodes[parent].depth + 1)
    let index = nodes.count
    if parent == 0 {
      roots[Int(node.byte)] = Int32(index)
    } else {
      node.sibling = nodes[parent].child
      nodes[parent].child = Int32(index)
    }
    nodes.append(node)
    return index
  }

  /// The longest beginning that ends with this byte.
  private mutating func next(after node: Int, _ byte: UInt8) -> Int {
    var node = node
    while true {
      if let child = child(of: node, byte) { return child }
      if node == 0 { return 0 }
      node = Int(nodes[node].fallback)
    }
  }

  /// Sets the fallbacks, the short beginnings first: a fallback is always shorter.
  private mutating func setFallbacks() {
    var queue = roots.filter { $0 > 0 }.map { Int($0) }
    var position = 0
    while position < queue.count {
      let parent = queue[position]
      position += 1
      var child = Int(nodes[parent].child)
      while child > 0 {
        let fallback = next(after: Int(nodes[parent].fallback), nodes[child].byte)
        nodes[child].fallback = Int32(fallback)
        nodes[child].matched = max(nodes[child].matched, nodes[fallback].matched)
        queue.append(child)
        child = Int(nodes[child].sibling)
      }
    }
  }
}
