import Foundation

extension JSONDocument {
  /// Makes any value directly from the tape, without the containers of a decoder.
  ///
  /// - Parameter depth: how many containers are around it.
  func value(_ step: JSONStep, depth: Int) throws -> JSONValue {
    let index = step.index
    switch kind(index) {
    case .null, .end: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .ascii, .unicode, .escaped, .name, .oddName:
      guard let string = string(index) else { throw corrupted(step, "The string isn't valid Unicode.") }
      return .string(string)
    case .integer, .number:
      if let integer = integer(index, as: Int64.self) { return .integer(integer) }
      guard let number = double(index) else { throw corrupted(step, "The number doesn't fit a Double.") }
      guard number.magnitude >= 0x1p53 else { return JSONValue(number) }
      // From 2^53 on a `Double` may equal several whole numbers, and a `Decimal` doesn't.
      return decimal(index).flatMap { Int64("\($0)") }.map(JSONValue.integer) ?? .number(number)
    case .array:
      guard depth < JSONValue.maximumDepth else { throw corrupted(step, "The value is nested too deep.") }
      return .array(try elements(index, depth: depth + 1))
    case .object, .oddObject:
      guard depth < JSONValue.maximumDepth else { throw corrupted(step, "The value is nested too deep.") }
      return .object(try members(index, depth: depth + 1))
    }
  }

  private func elements(_ array: Int, depth: Int) throws -> [JSONValue] {
    var elements: [JSONValue] = []
    elements.reserveCapacity(node(array).length)
    let end = end(of: array)
    var step = JSONStep(child: UInt32(array + JSONNode.arrayHead), parent: UInt32(array), number: 0)
    while step.index < end {
      elements.append(try value(step, depth: depth))
      step.child = UInt32(index(after: step.index))
      step.number += 1
    }
    return elements
  }

  /// The first of several members with the same name counts.
  private func members(_ object: Int, depth: Int) throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members.reserveCapacity(node(object).length)
    let end = end(of: object)
    var index = object + JSONNode.objectHead
    while index < end {
      guard let name = string(index) else { throw invalid() }
      if members[name] == nil {
        members[name] = try value(JSONStep(child: UInt32(index + 1), parent: UInt32(object), number: 0), depth: depth)
      }
      index = self.index(after: index + 1)
    }
    return members
  }
}
