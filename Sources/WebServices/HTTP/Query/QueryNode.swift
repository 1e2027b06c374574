import Foundation

/// A node of the tree into which `QueryTreeEncoder` encodes a value. `items(_:)` then makes query items of the tree.
/// The tree keeps members in their order, however the value uses its containers.
///
/// Only the thread that encodes uses a node.
final class QueryNode {
  /// The state of the node. `nothing` goes to any other case, and `keyed` and `unkeyed` go to `mixed`.
  private enum Content {
    /// Nothing yet, or `nil`.
    case nothing
    case value(String)
    case keyed
    case unkeyed
    /// The value requested containers of two kinds. `Encoder.container` can't throw, so `items` throws the error.
    case mixed
  }

  let path: [any CodingKey]
  private var content = Content.nothing
  /// The members in the order of their first encoding, or the elements.
  private(set) var children: [QueryNode] = []
  private var places: [String: Int] = [:]

  init(path: [any CodingKey] = []) {
    self.path = path
  }

  private var name: String { path.last?.stringValue ?? "" }

  func setValue(_ text: String) throws {
    guard case .nothing = content else { throw EncodingError.query("the value encodes more than one value", at: path) }
    content = .value(text)
  }

  /// Makes the node a container. A subclass may request a keyed container again. Its members then follow the
  /// superclass's members in the same container.
  func becomeContainer(isKeyed: Bool) {
    switch (content, isKeyed) {
    case (.nothing, _): content = isKeyed ? .keyed : .unkeyed
    case (.keyed, true), (.unkeyed, false): break
    default: content = .mixed
    }
  }

  /// The node of a member.
  ///
  /// - Parameter isNew: whether the new value replaces an earlier value with the same key. The place in the order
  ///   stays.
  func member(_ key: any CodingKey, isNew: Bool) -> QueryNode {
    let place = places[key.stringValue]
    if let place, !isNew { return children[place] }
    let node = QueryNode(path: path + [key])
    if let place {
      children[place] = node
    } else {
      places[key.stringValue] = children.count
      children.append(node)
    }
    return node
  }

  func addElement() -> QueryNode {
    let node = QueryNode(path: path + [QueryKey(index: children.count)])
    children.append(node)
    return node
  }

  /// Gives the members of a dictionary an order that is the same in each run.
  func sortMembers() {
    guard case .keyed = content else { return }
    children.sort { $0.name < $1.name }
    for (place, member) in children.enumerated() { places[member.name] = place }
  }

  /// Gives the elements of a set an order that is the same in each run.
  func sortElements() {
    func text(_ node: QueryNode) -> String { if case .value(let text) = node.content { text } else { "" } }
    children.sort { text($0) < text($1) }
  }
}

// MARK: Items

extension QueryNode {
  func items(_ options: QueryEncoder) throws -> [URLQueryItem] {
    var items: [URLQueryItem] = []
    switch content {
    case .value, .unkeyed:
      throw EncodingError.query("a query needs a value with keys, not a single value or an array", at: path)
    case .mixed: throw mixing
    case .nothing, .keyed: for member in children { try member.append(to: &items, name: member.name, options) }
    }
    return items
  }

  /// Adds the items of this node and of its children.
  ///
  /// - Parameter name: the name with those of the nodes above, such as `price[from]`.
  private func append(to items: inout [URLQueryItem], name: String, _ options: QueryEncoder) throws {
    switch (content, options.arrays) {
    case (.nothing, _):
      break
    case (.value(let text), _):
      items.append(URLQueryItem(name: name, value: text))
    case (.keyed, _):
      for member in children {
        let nested = options.nestedKeys == .dots ? "\(name).\(member.name)" : "\(name)[\(member.name)]"
        try member.append(to: &items, name: nested, options)
      }
    case (.mixed, _):
      throw mixing
    case (.unkeyed, .repeated):
      items += try elementTexts().map { URLQueryItem(name: name, value: $0) }
    case (.unkeyed, .brackets):
      for element in children { try element.append(to: &items, name: "\(name)[]", options) }
    case (.unkeyed, .indexed):
      for (index, element) in children.enumerated() {
        try element.append(to: &items, name: "\(name)[\(index)]", options)
      }
    case (.unkeyed, .commas):
      let texts = try elementTexts()
      guard !texts.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else {
        throw EncodingError.query("an element contains a comma and would become two", at: path)
      }
      if !texts.isEmpty { items.append(URLQueryItem(name: name, value: texts.joined(separator: ","))) }
    }
  }

  private func elementTexts() throws -> [String] {
    try children.compactMap { element in
      switch element.content {
      case .nothing: return nil
      case .value(let text): return text
      case .mixed: throw element.mixing
      case .keyed, .unkeyed:
        throw EncodingError.query(
          "an array of arrays or of values with keys needs indexed arrays or ones with brackets", at: path)
      }
    }
  }

  private var mixing: EncodingError {
    .query("the value encodes itself in more than one way: with keys, as an array, as a single value", at: path)
  }
}

extension EncodingError {
  /// The error of a value that no query can be made of. It names the place, not the value, which may be a secret.
  static func query(_ explanation: String, at path: [any CodingKey]) -> EncodingError {
    let place = QueryEncodingPath(
      description: path.isEmpty ? "" : "at \(path.map(\.stringValue).joined(separator: ".")), ")
    return .invalidValue(place, Context(codingPath: path, debugDescription: explanation))
  }
}

/// The path of a value that can't be encoded, in words. An `EncodingError` contains this path in place of the value,
/// which may be a secret.
package struct QueryEncodingPath: CustomStringConvertible, Sendable {
  package let description: String
}

/// The coding key of an array's element, or of a superclass's container.
struct QueryKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ stringValue: String, intValue: Int? = nil) {
    self.stringValue = stringValue
    self.intValue = intValue
  }

  init(index: Int) { self.init("\(index)", intValue: index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(index: intValue) }
}
