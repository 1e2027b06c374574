import Foundation

/// Names the values of a tree, and lists them.
struct QueryFlattening {
  let encoder: QueryEncoder
  private var items: [URLQueryItem] = []

  init(encoder: QueryEncoder) {
    self.encoder = encoder
  }

  func items(of root: QueryNode) throws -> [URLQueryItem] {
    switch root.content {
    case .nothing:
      return []
    case .value, .unkeyed:
      throw EncodingError.query(
        "a query is made of a value with keys, not of a single value or an array", at: [String]())
    case .keyed:
      var copy = self
      for member in root.members { try copy.append(member.node, name: member.name, path: [member.name]) }
      return copy.items
    }
  }

  private mutating func append(_ node: QueryNode, name: String, path: [String]) throws {
    switch node.content {
    case .nothing:
      break
    case .value(let text):
      items.append(URLQueryItem(name: name, value: text))
    case .keyed:
      for member in node.members {
        let nested = encoder.nestedKeys == .dots ? "\(name).\(member.name)" : "\(name)[\(member.name)]"
        try append(member.node, name: nested, path: path + [member.name])
      }
    case .unkeyed:
      try appendElements(of: node, name: name, path: path)
    }
  }

  private mutating func appendElements(of node: QueryNode, name: String, path: [String]) throws {
    switch encoder.arrays {
    case .repeated:
      for text in try singleValues(of: node, path: path) { items.append(URLQueryItem(name: name, value: text)) }
    case .brackets:
      for element in node.elements { try append(element, name: "\(name)[]", path: path) }
    case .indexed:
      for (index, element) in node.elements.enumerated() {
        try append(element, name: "\(name)[\(index)]", path: path + ["\(index)"])
      }
    case .commas:
      let texts = try singleValues(of: node, path: path)
      guard !texts.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else {
        throw EncodingError.query("an element with a comma would become two", at: path)
      }
      if !texts.isEmpty { items.append(URLQueryItem(name: name, value: texts.joined(separator: ","))) }
    }
  }

  private func singleValues(of node: QueryNode, path: [String]) throws -> [String] {
    try node.elements.compactMap { element in
      switch element.content {
      case .nothing: return nil
      case .value(let text): return text
      case .keyed, .unkeyed:
        throw EncodingError.query(
          "an array of arrays or of values with keys needs indexed arrays or ones with brackets", at: path)
      }
    }
  }
}

extension EncodingError {
  /// The error of a value that no query can be made of. It tells the place, not the value, which may be a secret.
  static func query(_ explanation: String, at path: [String]) -> EncodingError {
    query(explanation, at: path.map(QueryKey.init))
  }

  static func query(_ explanation: String, at path: [any CodingKey]) -> EncodingError {
    let place = QueryEncodingPlace(
      description: path.isEmpty ? "" : "at \(path.map(\.stringValue).joined(separator: ".")), ")
    return .invalidValue(place, Context(codingPath: path, debugDescription: explanation))
  }
}

/// Stands in the error for the value.
struct QueryEncodingPlace: CustomStringConvertible, Sendable {
  let description: String
}

/// A key that no type names.
struct QueryKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(index: intValue) }
}
