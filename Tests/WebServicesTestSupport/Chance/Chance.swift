/// The random choices of a seed. Equal seeds make equal choices on every system.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  /// The seed isn't multiplied by the step of `next()`: each seed would then give the numbers of the seed before it,
  /// shifted by one.
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number of at least 0 and below 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func percent(_ share: Double) -> Bool { unit() * 100 < share }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  mutating func pick<Element>(_ first: Element, _ rest: Element...) -> Element {
    let index = below(rest.count + 1)
    return index == 0 ? first : rest[index - 1]
  }
}
