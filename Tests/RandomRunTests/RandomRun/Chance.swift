/// A SplitMix64 generator: the same seed gives the same numbers.
struct Chance: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 up to but excluding `bound`.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) >> 1) % max(1, bound)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// True in `share` of 100 cases.
  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  mutating func pick<Element>(_ first: Element, _ rest: Element...) -> Element {
    let index = below(rest.count + 1)
    return index == 0 ? first : rest[index - 1]
  }
}
