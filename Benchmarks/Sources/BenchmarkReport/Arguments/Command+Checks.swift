/// The options of a fuzz run.
package struct FuzzOptions: Hashable, Sendable {
  /// The number of inputs for all parsers together.
  package var inputs = 2_000_000
  package var seed: UInt64 = 1
  package var subjects: [String]
  /// The folder for inputs that fail; `nil` is a temporary directory.
  package var output: String?

  package init(subjects: [String]) {
    self.subjects = subjects
  }
}

/// The options of a child process that feeds one parser.
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

  /// The arguments that `CommandParser` parses into these options.
  package var arguments: [String] {
    ["fuzz-part", "--parser", subject, "--seed", "\(seed)", "--from", "\(start)", "--to", "\(end)", "--mark", mark]
  }
}

/// The options of a run with random clients and servers.
package struct ChaosOptions: Hashable, Sendable {
  /// The minutes during which new plans start.
  package var minutes = 10
  /// The seed of the first plan. Each next plan adds one.
  package var seed: UInt64 = 1
  /// The most plans to run.
  package var plans = Int.max

  package init() {}
}

/// The options of a run that measures the cost of policies.
package struct PolicyOptions: Hashable, Sendable {
  package var policies: [String]
  package var rounds = 200
  /// The number of requests for each policy in a round.
  package var requests = 500
  package var output: String?

  package init(policies: [String]) {
    self.policies = policies
  }
}

/// The options of a run that measures the speed of decoders.
package struct JSONOptions: Hashable, Sendable {
  package var rounds = 41
  package var output: String?

  package init() {}
}

/// The options of a run that compares the decoders' results for random documents.
package struct JSONFuzzOptions: Hashable, Sendable {
  package var documents = 1_000_000
  /// The seed of the first document. Each next document adds one.
  package var seed: UInt64 = 1

  package init() {}
}

/// The options of a run that measures the memory of large bodies.
package struct FlatRunOptions: Hashable, Sendable {
  package var rounds = 3
  package var output: String?

  package init() {}
}

/// The options of a child process that transfers one large body.
package struct FlatOptions: Hashable, Sendable {
  /// The session that transfers the body: the service's default session, or Foundation's `URLSession`.
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

  /// The arguments that `CommandParser` parses into these options.
  package var arguments: [String] {
    ["memory-part", "--body", name, "--session", session.rawValue, "--url", url]
  }
}
