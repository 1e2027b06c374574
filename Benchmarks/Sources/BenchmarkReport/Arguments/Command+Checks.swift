/// A run that feeds parsers.
package struct FuzzOptions: Hashable, Sendable {
  /// How many inputs all parsers get together.
  package var inputs = 2_000_000
  package var seed: UInt64 = 1
  package var subjects: [String]
  /// Where inputs go that a parser fails at; `nil` means a temporary directory.
  package var output: String?

  package init(subjects: [String]) {
    self.subjects = subjects
  }
}

/// What a child process feeds one parser.
package struct FuzzPartOptions: Hashable, Sendable {
  package var subject: String
  package var seed: UInt64
  package var start: Int
  package var end: Int
  package var mark: String

  package init(subject: String, seed: UInt64, start: Int, end: Int, mark: String) {
    self.subject = subject
    self.seed = seed
    self.start = start
    self.end = end
    self.mark = mark
  }

  /// The arguments that the parser makes the same options of.
  package var arguments: [String] {
    ["fuzz-part", "--parser", subject, "--seed", "\(seed)", "--from", "\(start)", "--to", "\(end)", "--mark", mark]
  }
}

/// A run that has clients call servers at random.
package struct ChaosOptions: Hashable, Sendable {
  /// How long new plans are begun.
  package var minutes = 10
  /// The first plan's; the next has the next number.
  package var seed: UInt64 = 1
  /// How many plans there are at most.
  package var plans = Int.max

  package init() {}
}

/// A run that measures what policies cost.
package struct PolicyOptions: Hashable, Sendable {
  package var policies: [String]
  package var rounds = 200
  /// How many requests each policy gets in a round.
  package var requests = 500
  package var output: String?

  package init(policies: [String]) {
    self.policies = policies
  }
}

/// A run that compares the speed of decoders.
package struct JSONOptions: Hashable, Sendable {
  package var rounds = 41
  package var output: String?

  package init() {}
}

/// A run that compares what decoders make of random documents.
package struct JSONFuzzOptions: Hashable, Sendable {
  package var documents = 1_000_000
  /// The first document's; the next has the next number.
  package var seed: UInt64 = 1

  package init() {}
}

/// A run that measures the memory that large bodies take.
package struct FlatRunOptions: Hashable, Sendable {
  package var rounds = 3
  package var output: String?

  package init() {}
}

/// What a child process sends or takes.
package struct FlatOptions: Hashable, Sendable {
  package enum Session: String, Sendable {
    case standard, urlSession
  }

  package var name: String
  package var session: Session
  package var url: String

  package init(name: String, session: Session, url: String) {
    self.name = name
    self.session = session
    self.url = url
  }

  /// The arguments that the parser makes the same options of.
  package var arguments: [String] {
    ["memory-part", "--body", name, "--session", session.rawValue, "--url", url]
  }
}
