/// A SplitMix64 generator: the same seed gives the same numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
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

  /// A number from 0 up to but excluding `bound`; 0 if `bound` is 0. The bias of the modulo doesn't matter here.
  package mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(truncatingIfNeeded: (next() >> 1) % UInt64(bound)) : 0
  }

  /// True once in `times` calls on average.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
