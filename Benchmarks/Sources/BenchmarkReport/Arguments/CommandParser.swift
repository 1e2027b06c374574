/// Parses the program's arguments.
package struct CommandParser: Sendable {
  /// The names of all contenders.
  package let contenders: [String]
  /// The names of all parsers that can be fuzzed.
  package let parsers: [String]
  /// The names of all policies that can be measured.
  package let policies: [String]

  package init(contenders: [String], parsers: [String], policies: [String]) {
    self.contenders = contenders
    self.parsers = parsers
    self.policies = policies
  }

  /// The contenders of `concurrency`: this library, AsyncHTTPClient, and libcurl without a client around it.
  private static let concurrent = [
    "webservices", "webservices-async", "asynchttpclient", "asynchttpclient-futures", "curl-loop",
    "curl-loop-feather", "curl-loop-feather-async",
  ]

  /// - Parameter arguments: the arguments after the program's name.
  package func command(from arguments: [String]) throws(UsageError) -> Command {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    guard let name = arguments.first, !name.hasPrefix("-") else {
      return try run("run", Workload.all, arguments[...])
    }
    let options = arguments.dropFirst()
    switch name {
    case "run": return try run("run", Workload.all, options)
    case "quick": return try run("quick", ["json-976-1", "json-976-16"].compactMap(Workload.named), options)
    case "concurrency":
      return try run("concurrency", Workload.concurrency, options, contenders: Self.concurrent, rounds: 5)
    case "growth": return try run("growth", Workload.all.filter { $0.subject == .growth }, options)
    case "outstanding":
      return try run("outstanding", Workload.all.filter { $0.subject == .outstanding }, options)
    case "measure": return try measure(options)
    case "serve":
      try OptionReader(options).checkNothingIsLeft()
      return .serve
    case "herd":
      var reader = try OptionReader(options)
      let output = reader.text("output")
      try reader.checkNothingIsLeft()
      return .herd(output: output)
    case "fuzz": return try fuzz(options)
    case "fuzz-part": return try fuzzPart(options)
    case "chaos": return try chaos(options)
    case "policies": return try policyCosts(options)
    case "json": return try json(options)
    case "json-fuzz": return try jsonFuzz(options)
    case "memory": return try memory(options)
    case "memory-part": return try memoryPart(options)
    case "help": return .help
    default: throw UsageError("there is no command \"\(name)\"")
    }
  }

  private func run(
    _ name: String, _ workloads: [Workload], _ arguments: ArraySlice<String>, contenders selected: [String]? = nil,
    rounds: Int = 3
  ) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    let only = try reader.names("only", of: workloads.map(\.identifier))
    var options = RunOptions(
      name: name, workloads: workloads.filter { only.contains($0.identifier) },
      contenders: try reader.names("contenders", of: contenders, default: selected),
      rounds: try reader.number("rounds", default: rounds, in: 1...1000))
    options.secondsPerMeasurement = try reader.seconds("seconds", default: options.secondsPerMeasurement)
    options.requests = try reader.number("requests", default: options.requests, in: 100...100_000_000)
    if let choice = reader.text("server") {
      guard let server = RunOptions.ServerChoice(rawValue: choice) else {
        let known = RunOptions.ServerChoice.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--server has no \"\(choice)\"; there are: \(known)")
      }
      options.server = server
    }
    options.output = reader.text("output")
    try reader.checkNothingIsLeft()
    return .run(options)
  }

  private func measure(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    let contender = try reader.required("contender")
    guard contenders.contains(contender) else { throw UsageError("there is no contender \"\(contender)\"") }
    let name = try reader.required("workload")
    guard let workload = Workload.named(name) else { throw UsageError("there is no workload \"\(name)\"") }
    let options = MeasureOptions(
      contender: contender, workload: workload,
      secondsPerMeasurement: try reader.seconds("seconds", default: 2),
      requests: try reader.number("requests", default: 200_000, in: 100...100_000_000),
      url: try reader.required("url"), certificate: reader.text("certificate"))
    try reader.checkNothingIsLeft()
    return .measure(options)
  }
}
