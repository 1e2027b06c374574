import Foundation

/// A step of the path to the current value, from a container to a member or an element. The path becomes a coding path
/// only for an error.
struct JSONStep {
  /// The index of the container.
  var parent: Int
  /// The index of the value.
  var child: Int
  /// The number of an element; 0 for a member.
  var element: Int
  /// The type of the key with which the member was requested; `nil` for an element.
  var keyType: (any CodingKey.Type)?
}

/// A coding key for any name or any element.
package struct JSONKey: CodingKey, Hashable {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

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
  /// Decodes a member or an element, and records the step to it meanwhile.
  @inline(__always)
  func descend<Value>(_ step: @autoclosure () -> JSONStep, _ decode: () throws -> Value) rethrows -> Value {
    let count = state.pointee.stepCount
    // A model may use a container of an outer value here, so the path may be longer than the document is deep.
    guard count < stepCapacity else { return try decode() }
    steps[count] = step()
    state.pointee.stepCount = count + 1
    defer { state.pointee.stepCount = count }
    return try decode()
  }

  /// The coding path of a value.
  ///
  /// Only the steps to the current containers are recorded. For the rest of the path, members and elements are counted.
  func path(to target: Int) -> [any CodingKey] {
    var path = rootPath
    var container = 0
    var known = 0
    while container < target {
      guard let step = nextStep(from: container, to: target, &known) ?? searchedStep(from: container, to: target) else {
        return path
      }
      path.append(key(of: step, path))
      container = step.child
    }
    return path
  }

  /// The recorded step from the container towards the target; `nil` if none was recorded.
  ///
  /// - Parameter known: the number of recorded steps that the path has passed.
  private func nextStep(from container: Int, to target: Int, _ known: inout Int) -> JSONStep? {
    for index in known..<max(known, state.pointee.stepCount) {
      let step = steps[index]
      guard step.parent == container, step.child <= target, target < self.index(after: step.child) else { continue }
      known = index + 1
      return step
    }
    return nil
  }

  /// The step from the container towards the target, found by counting the members or elements before the target.
  private func searchedStep(from container: Int, to target: Int) -> JSONStep? {
    let isArray = kind(container) == .array
    let end = index(after: container)
    var index = container + (isArray ? JSONNode.arrayHead : JSONNode.objectHead)
    var element = 0
    while index < end {
      let child = isArray ? index : index + 1
      index = self.index(after: child)
      if target < index {
        let keyType: (any CodingKey.Type)? = isArray ? nil : state.pointee.keyTypes[child] ?? JSONKey.self
        return JSONStep(parent: container, child: child, element: element, keyType: keyType)
      }
      element += 1
    }
    return nil
  }

  private func key(of step: JSONStep, _ path: [any CodingKey]) -> any CodingKey {
    guard let keyType = step.keyType else { return JSONKey(element: step.element) }
    // The keys of a dictionary are data, so no strategy changes them.
    let name = string(step.child - 1) ?? ""
    let key = keyType == JSONRawKey.self ? JSONKey(stringValue: name) : settings.key(for: name, at: path)
    return keyType.init(stringValue: key.stringValue) ?? key
  }
}

/// The key type of the steps into a `[String: Value]`. `key(of:_:)` recognizes the type, and leaves the name as it is.
struct JSONRawKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
