package import Foundation

/// A parser to fuzz, with its samples.
package struct Subject: Sendable {
  /// Parses an input. It throws a `Finding` for a result that is wrong. Rejecting an input is not wrong.
  package typealias Parse = @Sendable (inout FuzzInput) async throws -> Void

  package let name: String
  /// The share of all inputs. Slow parsers get fewer.
  package let weight: Int
  let samples: [[UInt8]]
  let words: [[UInt8]]
  /// Makes the parser in its process. The parser may write to the directory.
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

  /// Creates a subject for a parser that needs no preparation.
  init(
    _ name: String, weight: Int = 10, samples: [String], words: [String] = [], parse: @escaping Parse
  ) {
    self.init(opening: name, weight: weight, samples: samples, words: words) { _ in parse }
  }

  package static func named(_ name: String) -> Subject? {
    all.first { $0.name == name }
  }
}

/// A wrong result of a parser, short of a crash.
package struct Finding: Error {
  package let message: String

  static func check(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
    if !isRight { throw Finding(message: message()) }
  }
}
