/// Keeps values in the order of their last use, so that a store can remove the least recently used value first. `use`
/// and `insert` make a value the last used, and `leastRecent` names the next one to remove. Every step takes the same
/// time, however many values there are.
///
/// A doubly linked list in an array, whose vacant places are used again.
struct RecencyOrder<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A value and its neighbors in the order of use.
  private struct Node {
    var key: Key
    var value: Value
    var cost: Int
    /// The next node that was used later; -1 is none.
    var later: Int
    /// The next node that was used earlier; -1 is none.
    var earlier: Int
  }

  /// Where in `nodes` the value of a key is.
  private var places: [Key: Int] = [:]
  private var nodes: [Node?] = []
  /// The places of removed values.
  private var vacant: [Int] = []
  /// The ends of the list; -1 when it is empty.
  private var latest = -1
  private var earliest = -1
  /// The costs of all values together.
  private(set) var totalCost = 0

  var count: Int { places.count }

  /// Returns a value, which then counts as used last.
  mutating func use(_ key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if place != latest {
      unlink(place)
      linkAsLatest(place)
    }
    return nodes[place]?.value
  }

  /// Returns a value, and leaves the order unchanged.
  func peek(_ key: Key) -> Value? {
    places[key].flatMap { nodes[$0]?.value }
  }

  /// Inserts a value, which then counts as used last.
  mutating func insert(_ value: Value, for key: Key, cost: Int) {
    remove(key)
    let place = vacant.popLast() ?? nodes.count
    let node = Node(key: key, value: value, cost: cost, later: -1, earlier: -1)
    if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
    places[key] = place
    totalCost += cost
    linkAsLatest(place)
  }

  @discardableResult
  mutating func remove(_ key: Key) -> Value? {
    // An empty dictionary would hash the key all the same.
    guard !places.isEmpty, let place = places.removeValue(forKey: key) else { return nil }
    unlink(place)
    defer {
      nodes[place] = nil
      vacant.append(place)
    }
    totalCost -= nodes[place]?.cost ?? 0
    return nodes[place]?.value
  }

  /// The key of the value whose last use is the longest ago.
  var leastRecent: Key? { earliest >= 0 ? nodes[earliest]?.key : nil }

  private mutating func unlink(_ place: Int) {
    guard let node = nodes[place] else { return }
    if node.later >= 0 { nodes[node.later]?.earlier = node.earlier } else { latest = node.earlier }
    if node.earlier >= 0 { nodes[node.earlier]?.later = node.later } else { earliest = node.later }
  }

  private mutating func linkAsLatest(_ place: Int) {
    nodes[place]?.earlier = latest
    nodes[place]?.later = -1
    if latest >= 0 { nodes[latest]?.later = place } else { earliest = place }
    latest = place
  }
}
