/// What the program was asked to do.
package enum Command: Hashable, Sendable {
  case run(RunOptions)
  /// One measurement, in a process of its own.
  case measure(MeasureOptions)
  /// The package's own server, in a process of its own.
  case serve
  /// The simulation of many clients. Where its files go; `nil` means the package's own `Results`.
  case herd(output: String?)
  /// Bytes by chance for every parser.
  case fuzz(FuzzOptions)
  /// Some of them for one parser, in a process of its own.
  case fuzzPart(FuzzPartOptions)
  /// Real clients that call real servers at random.
  case chaos(ChaosOptions)
  /// What policies cost that have nothing to do.
  case policies(PolicyOptions)
  /// The memory that large bodies take.
  case memory(FlatRunOptions)
  /// One of them, in a process of its own.
  case memoryPart(FlatOptions)
  /// What both decoders of JSON cost.
  case json(JSONOptions)
  /// Random models and documents for both decoders of JSON.
  case jsonFuzz(JSONFuzzOptions)
  case help
}

/// A run of many measurements.
package struct RunOptions: Hashable, Sendable {
  package enum ServerChoice: String, CaseIterable, Sendable {
    /// nginx where the machine has it.
    case automatic, nginx, own
  }

  /// The name of the files that are written.
  package var name: String
  package var workloads: [Workload]
  package var contenders: [String]
  package var rounds = 3
  package var secondsPerMeasurement = 2.0
  /// How many requests the measurement of growth sends.
  package var requests = 200_000
  package var server = ServerChoice.automatic
  /// Where the files go; `nil` means the package's own `Results`.
  package var output: String?

  package init(name: String, workloads: [Workload], contenders: [String]) {
    self.name = name
    self.workloads = workloads
    self.contenders = contenders
  }
}

/// What a child process measures.
package struct MeasureOptions: Hashable, Sendable {
  package var contender: String
  package var workload: Workload
  package var secondsPerMeasurement: Double
  package var requests: Int
  package var url: String

  package init(
    contender: String, workload: Workload, secondsPerMeasurement: Double, requests: Int, url: String
  ) {
    self.contender = contender
    self.workload = workload
    self.secondsPerMeasurement = secondsPerMeasurement
    self.requests = requests
    self.url = url
  }

  /// The arguments that the parser makes the same options of.
  package var arguments: [String] {
    [
      "measure", "--contender", contender, "--workload", workload.identifier, "--seconds",
      "\(secondsPerMeasurement)", "--requests", "\(requests)", "--url", url,
    ]
  }
}
