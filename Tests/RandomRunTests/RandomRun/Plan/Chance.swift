/// A SplitMix64 generator: the same seed gives the same numbers.
package struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to but excluding `bound`; 0 if `bound` is 0.
  mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(truncatingIfNeeded: (next() >> 1) % UInt64(bound)) : 0
  }

  /// A number in the range.
  mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// True in `share` of 100 cases.
  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  /// A random element, or the default for an empty list.
  mutating func pick<Element>(_ elements: [Element], or standard: Element) -> Element {
    elements.isEmpty ? standard : elements[below(elements.count)]
  }

  /// A random element; its weight sets its probability.
  mutating func weighted<Element>(_ elements: [(weight: Int, value: Element)], or standard: Element) -> Element {
    var rest = below(elements.reduce(0) { $0 + $1.weight })
    for element in elements {
      rest -= element.weight
      if rest < 0 { return element.value }
    }
    return standard
  }
}
