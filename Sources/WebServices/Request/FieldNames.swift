/// Names of header fields, compared as `HTTPHeaders` compares them. A look-up takes the same time however many names
/// there are: a server may send any number.
struct FieldNames {
  /// A comparison with so few names is quicker than a look-up.
  private static let fewest = 8

  private var few: [String] = []
  private var many: Set<String> = []

  init(_ names: [String]) {
    if names.count <= Self.fewest { few = names } else { many = Set(names.map(\.asciiLowercased)) }
  }

  func contains(_ name: String) -> Bool {
    if many.isEmpty { return few.contains { $0.equalsIgnoringASCIICase(name) } }
    return many.contains(name.asciiLowercased)
  }
}

extension HTTPHeaders {
  /// Removes every field of these names.
  mutating func remove(_ names: FieldNames) {
    removeAll { names.contains($0.name) }
  }
}

extension String {
  /// The text with the capital letters of ASCII made small.
  fileprivate var asciiLowercased: String {
    guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}
