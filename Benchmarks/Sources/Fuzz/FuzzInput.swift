package import Foundation

/// One input, and random numbers for further choices. An input is determined by seed, subject and number.
package struct FuzzInput: Sendable {
  package let bytes: [UInt8]
  package var chance: SeededGenerator

  package init(of subject: Subject, index: Int, seed: UInt64) {
    // FNV-1a of the name. The inputs of a subject stay the same when other subjects come or go.
    let name = subject.name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var chance = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D ^ name ^ UInt64(index) &* 0xD1B5_4A32_D192_ED03)
    bytes = Mutation(samples: subject.samples, words: subject.words).bytes(&chance)
    self.chance = chance
  }

  package var data: Data { Data(bytes) }
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes in pieces of random sizes, as a stream parser receives them.
  mutating func pieces() -> [Data] {
    var pieces: [Data] = []
    var start = 0
    let longest = 1 + chance.below(chance.once(in: 2) ? 4 : bytes.count + 1)
    while start < bytes.count {
      let end = min(bytes.count, start + chance.below(longest + 1))
      pieces.append(Data(bytes[start..<end]))
      start = end
    }
    return pieces
  }
}
