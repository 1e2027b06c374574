/// Reads options in the form `--name value` or `--name=value`.
struct OptionReader {
  private var values: [String: String] = [:]

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument.count > 2 else {
        throw UsageError("\"\(argument)\" is not an option")
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("--\(name) needs a value")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw UsageError("--\(name) is there twice")
      }
    }
  }

  mutating func text(_ name: String) -> String? {
    values.removeValue(forKey: name)
  }

  mutating func required(_ name: String) throws(UsageError) -> String {
    guard let value = text(name) else { throw UsageError("--\(name) is missing") }
    return value
  }

  /// - Returns: the number, or the default if the option is missing.
  mutating func number(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws(UsageError)
    -> Int
  {
    guard let value = text(name) else { return standard }
    guard let number = Int(value), range.contains(number) else {
      throw UsageError(
        "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(value)\"")
    }
    return number
  }

  mutating func seconds(_ name: String, default standard: Double) throws(UsageError) -> Double {
    guard let value = text(name) else { return standard }
    guard let number = Double(value), number >= 0.1, number <= 3600 else {
      throw UsageError("--\(name) takes seconds from 0.1 to 3600, not \"\(value)\"")
    }
    return number
  }

  /// - Returns: the selected names in their known order. If the option is missing, the known ones of the default, or all
  ///   names without a default.
  mutating func names(_ name: String, of known: [String], default standard: [String]? = nil) throws(UsageError)
    -> [String]
  {
    guard let value = text(name) else { return standard.map { known.filter($0.contains) } ?? known }
    let names = value.split(separator: ",").map(String.init)
    for unknown in names where !known.contains(unknown) {
      throw UsageError("--\(name) has no \"\(unknown)\"; there are: \(known.joined(separator: ", "))")
    }
    guard !names.isEmpty else { throw UsageError("--\(name) names nothing") }
    return known.filter(names.contains)
  }

  /// Call this last: an option that nobody has read is unknown.
  func checkNothingIsLeft() throws(UsageError) {
    if let name = values.keys.min() { throw UsageError("there is no option --\(name) here") }
  }
}
