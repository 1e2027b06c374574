/// A step of a coding path: from a container to a member or an element. The tape has the step to each container, so
/// that the path of a value takes no search. The path becomes a coding path only for an error.
///
/// The numbers have 32 bits, so that a decoder with a step fits into the three words of an existential and needs no
/// allocation.
struct JSONStep {
  /// The index of the value on the tape.
  var child: UInt32
  /// The index of the container.
  var parent: UInt32
  /// The number of an element. For a member, `keyFlag` and the index of the key type with which the model requested the
  /// member; without the flag, the member's name is data.
  var number: UInt32

  static let keyFlag: UInt32 = 1 << 31
  static let noKey: UInt32 = 0
  /// The most bytes of a name that is read for each path.
  static let shortName = 256
  /// The document's first value.
  static let root = JSONStep(child: 0, parent: 0, number: 0)

  @inline(__always)
  var index: Int { Int(child) }
}

/// A coding key for any name or any element.
package struct JSONKey: CodingKey, Hashable {
  package let stringValue: String
  package private(set) var intValue: Int?

  package init(stringValue: String) { self.stringValue = stringValue }

  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(element: Int) {
    // Foundation's words.
    stringValue = "Index \(element)"
    intValue = element
  }
}

extension JSONDocument {
  /// The step to a container.
  func step(to container: Int) -> JSONStep {
    let around = tape[container + 2]
    return JSONStep(
      child: UInt32(truncatingIfNeeded: container), parent: UInt32(truncatingIfNeeded: around),
      number: UInt32(truncatingIfNeeded: around >> 32))
  }

  /// The step to a member, which is also recorded for the steps further down.
  @inline(__always)
  func step(to member: Int, in object: Int, keyType: UInt32) -> JSONStep {
    let parent = UInt32(truncatingIfNeeded: object)
    if node(member).isContainer { tape[member + 2] = UInt64(keyType) << 32 | UInt64(parent) }
    return JSONStep(child: UInt32(truncatingIfNeeded: member), parent: parent, number: keyType)
  }

  /// The steps that lead to a value, the last one first.
  func steps(to last: JSONStep) -> [JSONStep] {
    sequence(first: last) { self.step(to: Int($0.parent)) }.prefix { $0.child != 0 }
  }

  /// The coding path of a value.
  func path(_ last: JSONStep) -> [any CodingKey] {
    steps(to: last).reversed().reduce(into: rootPath) { path, step in path.append(key(of: step, path)) }
  }

  /// The key of a step. A long name is read once, because the paths of any number of values may have it.
  private func key(of step: JSONStep, _ path: [any CodingKey]) -> any CodingKey {
    guard kind(Int(step.parent)) != .array else { return JSONKey(element: Int(step.number)) }
    guard node(step.index - 1).nameLength > JSONStep.shortName else { return newKey(of: step, path) }
    let place = UInt64(step.number) << 32 | UInt64(step.child)
    if let key = longKeys[place] { return key }
    let key = newKey(of: step, path)
    longKeys[place] = key
    return key
  }

  private func newKey(of step: JSONStep, _ path: [any CodingKey]) -> any CodingKey {
    let name = string(step.index - 1) ?? ""
    // The keys of a dictionary are data, so no strategy changes them.
    guard step.number & JSONStep.keyFlag != 0 else { return JSONKey(stringValue: name) }
    let key = settings.key(for: name, at: path)
    return keyTypes[Int(step.number & ~JSONStep.keyFlag)].type.init(stringValue: key.stringValue) ?? key
  }
}
