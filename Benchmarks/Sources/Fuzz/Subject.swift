package import Foundation

/// A parser, and what it is fed with.
package struct Subject: Sendable {
  /// Takes an input. It throws a `Finding` for what a correct parser wouldn't do; refusing an input is no such thing.
  package typealias Parse = @Sendable (inout FuzzInput) async throws -> Void

  package let name: String
  /// Its share of all inputs: slow ones have less.
  package let weight: Int
  let samples: [[UInt8]]
  let words: [[UInt8]]
  /// Makes what parses, in the process that does, which may write to a directory.
  package let open: @Sendable (URL) async throws -> Parse

  init(
    opening name: String, weight: Int = 10, samples: [String], words: [String] = [],
    open: @escaping @Sendable (URL) async throws -> Parse
  ) {
    self.name = name
    self.weight = weight
    self.samples = samples.map { Array($0.utf8) }
    self.words = words.map { Array($0.utf8) }
    self.open = open
  }

  /// For a parser that nothing has to be made for.
  init(
    _ name: String, weight: Int = 10, samples: [String], words: [String] = [], parse: @escaping Parse
  ) {
    self.init(opening: name, weight: weight, samples: samples, words: words) { _ in parse }
  }

  package static func named(_ name: String) -> Subject? {
    all.first { $0.name == name }
  }
}

/// What a parser has done wrong, short of a crash.
package struct Finding: Error {
  package let message: String

  static func check(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
    if !isRight { throw Finding(message: message()) }
  }
}
