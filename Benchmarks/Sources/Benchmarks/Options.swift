/// Reads options in the form `--name value` or `--name=value`.
struct Options {
  private var values: [String: String] = [:]

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument.count > 2 else { throw UsageError("\"\(argument)\" is not an option") }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(argument) needs a value")
      }
      values[String(parts[0])] = value
    }
  }

  mutating func text(_ name: String) -> String? { values.removeValue(forKey: name) }

  mutating func required(_ name: String) throws -> String {
    guard let value = text(name) else { throw UsageError("--\(name) is missing") }
    return value
  }

  /// - Returns: the number, or the default if the option is missing.
  mutating func number<Number: LosslessStringConvertible & Comparable>(
    _ name: String, _ standard: Number, atLeast least: Number
  ) throws -> Number {
    guard let value = text(name) else { return standard }
    guard let number = Number(value), number >= least else {
      throw UsageError("--\(name) takes a number of at least \(least), not \"\(value)\"")
    }
    return number
  }

  /// - Returns: the selected names in their known order. If the option is missing, the known ones of the default, or
  ///   all names without a default.
  mutating func names(_ name: String, of known: [String], default standard: [String]? = nil) throws -> [String] {
    guard let value = text(name) else { return standard.map { known.filter($0.contains) } ?? known }
    let names = value.split(separator: ",").map(String.init)
    if let unknown = names.first(where: { !known.contains($0) }) ?? (names.isEmpty ? "" : nil) {
      throw UsageError("--\(name) has no \"\(unknown)\"; there are: \(known.joined(separator: ", "))")
    }
    return known.filter(names.contains)
  }

  /// Call this last: an option that nobody has read is unknown.
  func end() throws {
    if let name = values.keys.min() { throw UsageError("there is no option --\(name) here") }
  }
}

/// Invalid arguments. The message is a sentence without its full stop.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
