/// The commands of the program.
package enum Command: Hashable, Sendable {
  case run(RunOptions)
  /// Runs one measurement in a child process.
  case measure(MeasureOptions)
  /// Runs the package's own server in a child process.
  case serve
  /// Simulates many clients. Writes to `output`; `nil` is the package's own `Results`.
  case herd(output: String?)
  /// Feeds random bytes to every parser.
  case fuzz(FuzzOptions)
  /// Feeds a part of the inputs to one parser in a child process.
  case fuzzPart(FuzzPartOptions)
  /// Runs random clients against random servers.
  case chaos(ChaosOptions)
  /// Measures the cost of idle policies.
  case policies(PolicyOptions)
  /// Measures the memory of large bodies.
  case memory(FlatRunOptions)
  /// Measures the memory of one body in a child process.
  case memoryPart(FlatOptions)
  /// Measures the speed of both JSON decoders.
  case json(JSONOptions)
  /// Compares both JSON decoders with random models and documents.
  case jsonFuzz(JSONFuzzOptions)
  case help
}

/// The options of a run with many measurements.
package struct RunOptions: Hashable, Sendable {
  package enum ServerChoice: String, CaseIterable, Sendable {
    /// Uses nginx if the machine has it.
    case automatic, nginx, own
  }

  /// The name of the result files.
  package var name: String
  package var workloads: [Workload]
  package var contenders: [String]
  package var rounds: Int
  package var secondsPerMeasurement = 2.0
  /// The number of requests for the growth measurement.
  package var requests = 200_000
  package var server = ServerChoice.automatic
  /// The folder for the result files; `nil` is the package's own `Results`.
  package var output: String?

  package init(name: String, workloads: [Workload], contenders: [String], rounds: Int = 3) {
    self.name = name
    self.workloads = workloads
    self.contenders = contenders
    self.rounds = rounds
  }
}

/// The options of a measurement in a child process.
package struct MeasureOptions: Hashable, Sendable {
  package var contender: String
  package var workload: Workload
  package var secondsPerMeasurement: Double
  package var requests: Int
  package var url: String
  /// The path of the only certificate that the contender trusts; `nil` without TLS.
  package var certificate: String?

  package init(
    contender: String, workload: Workload, secondsPerMeasurement: Double, requests: Int, url: String,
    certificate: String? = nil
  ) {
    self.contender = contender
    self.workload = workload
    self.secondsPerMeasurement = secondsPerMeasurement
    self.requests = requests
    self.url = url
    self.certificate = certificate
  }

  /// The arguments that `CommandParser` parses into these options.
  package var arguments: [String] {
    [
      "measure", "--contender", contender, "--workload", workload.identifier, "--seconds",
      "\(secondsPerMeasurement)", "--requests", "\(requests)", "--url", url,
    ] + (certificate.map { ["--certificate", $0] } ?? [])
  }
}
