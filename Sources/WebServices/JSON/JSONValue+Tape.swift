import Foundation

extension JSONDocument {
  /// Makes any value directly from the tape, without the containers of a decoder.
  ///
  /// - Parameter depth: how many containers are around it.
  func value(_ step: JSONStep, depth: Int) throws -> JSONValue {
    let index = step.index
    let node = node(index)
    if node.isContainer, depth >= JSONValue.maximumDepth { throw corrupted(step, "The value is nested too deep.") }
    switch node.kind {
    case .null, .end: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .ascii, .unicode, .escaped, .name, .oddName:
      guard let string = string(index) else { throw corrupted(step, "The string isn't valid Unicode.") }
      return .string(string)
    case .integer, .number:
      if let integer: Int64 = integer(index) { return .integer(integer) }
      guard let number = double(index) else { throw corrupted(step, "The number doesn't fit a Double.") }
      return JSONValue(number)
    case .array:
      var elements: [JSONValue] = []
      elements.reserveCapacity(reservedCount(index))
      for element in ElementSteps(of: step, in: self) { elements.append(try value(element, depth: depth + 1)) }
      return .array(elements)
    case .object, .oddObject:
      var members: [String: JSONValue] = [:]
      members.reserveCapacity(reservedCount(index))
      try forEachMember(of: index) { name, member in
        let step = JSONStep(child: UInt32(member), parent: step.child, number: JSONStep.noKey)
        // The first of several members with the same name counts.
        if members[name] == nil { members[name] = try value(step, depth: depth + 1) }
      }
      return .object(members)
    }
  }
}
