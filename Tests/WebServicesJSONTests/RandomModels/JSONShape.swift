import Foundation

/// A random generator whose sequence is repeatable.
package struct JSONRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  package mutating func chance(_ one: Int, in many: Int) -> Bool { below(many) < one }
}

/// The shape of a random model.
package indirect enum JSONShape: Sendable {
  /// The way in which a member is decoded.
  package enum Asking: CaseIterable, Sendable {
    case always, ifPresent, afterNil, afterContains, superDecoder, nested
  }

  package struct Member: Sendable {
    package var name: String
    package var shape: JSONShape
    package var asking: Asking
  }

  /// A type of `JSONScalar.all`, by its index.
  case scalar(Int)
  case wrapped(JSONShape)
  case object([Member])
  /// An array whose container decodes each element.
  case tuple([JSONShape])
  /// An array or a dictionary that its own initializer decodes.
  case array(JSONShape)
  case dictionary(JSONShape)
  case numbered(JSONShape)
  case allKeys(JSONShape)
  case anything

  package static let names = [
    "id", "name", "a", "b", "firstName", "first_name", "_first__name_", "identifier_of_user", "Kelvin", "\u{212A}elvin",
    "é", "e\u{301}", "", "x\"y", "emoji😀", "a_rather_long_name_of_a_member", "a_rather_long_name_of_a_membre", "super",
    "1", "7", "ab", "ba", "abc", "url",
  ]

  package init(_ random: inout JSONRandom, depth: Int = 0) {
    let isLeaf = depth > 3 || (depth > 0 && random.chance(1, in: 2))
    guard !isLeaf else {
      self = .scalar(random.below(JSONScalar.all.count))
      return
    }
    switch random.below(8) {
    case 0: self = .wrapped(JSONShape(&random, depth: depth + 1))
    case 1: self = .tuple((0..<random.below(4)).map { _ in JSONShape(&random, depth: depth + 1) })
    case 2: self = .array(JSONShape(&random, depth: depth + 1))
    case 3: self = .dictionary(JSONShape(&random, depth: depth + 1))
    case 4: self = .numbered(JSONShape(&random, depth: depth + 1))
    case 5: self = random.chance(1, in: 4) ? .anything : .allKeys(JSONShape(&random, depth: depth + 1))
    default:
      self = .object(
        (0..<random.below(6)).map { _ in
          Member(
            name: Self.names[random.below(Self.names.count)], shape: JSONShape(&random, depth: depth + 1),
            asking: Asking.allCases[random.below(Asking.allCases.count)])
        })
    }
  }

  /// Whether the members of an object may be decoded in any order.
  package var hasDictionary: Bool {
    switch self {
    case .scalar(let index): "\(JSONScalar.all[index].type)".hasPrefix("Dictionary")
    case .wrapped(let shape), .array(let shape): shape.hasDictionary
    case .object(let members): members.contains { $0.shape.hasDictionary }
    case .tuple(let shapes): shapes.contains(where: \.hasDictionary)
    case .dictionary, .numbered, .anything: true
    case .allKeys(let shape): shape.hasDictionary
    }
  }
}
