extension CommandParser {
  func fuzz(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = FuzzOptions(subjects: try reader.names("only", of: parsers))
    options.inputs = try reader.number("inputs", default: options.inputs, in: 1...10_000_000_000)
    options.seed = UInt64(try reader.number("seed", default: 1, in: 0...Int.max))
    options.output = reader.text("output")
    try reader.checkNothingIsLeft()
    return .fuzz(options)
  }

  func fuzzPart(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    let options = FuzzPartOptions(
      subject: try reader.required("parser"), seed: UInt64(try reader.number("seed", default: 1, in: 0...Int.max)),
      start: try reader.number("from", default: 0, in: 0...Int.max),
      end: try reader.number("to", default: 0, in: 0...Int.max), mark: try reader.required("mark"))
    try reader.checkNothingIsLeft()
    return .fuzzPart(options)
  }

  func chaos(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = ChaosOptions()
    options.minutes = try reader.number("minutes", default: options.minutes, in: 1...10_000)
    options.seed = UInt64(try reader.number("seed", default: 1, in: 0...Int.max / 2))
    options.plans = try reader.number("plans", default: options.plans, in: 1...Int.max)
    try reader.checkNothingIsLeft()
    return .chaos(options)
  }

  func policyCosts(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = PolicyOptions(policies: try reader.names("only", of: policies))
    options.rounds = try reader.number("rounds", default: options.rounds, in: 1...100_000)
    options.requests = try reader.number("requests", default: options.requests, in: 1...1_000_000)
    options.output = reader.text("output")
    try reader.checkNothingIsLeft()
    return .policies(options)
  }

  func json(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = JSONOptions()
    options.rounds = try reader.number("rounds", default: options.rounds, in: 1...10_000)
    options.output = reader.text("output")
    try reader.checkNothingIsLeft()
    return .json(options)
  }

  func jsonFuzz(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = JSONFuzzOptions()
    options.documents = try reader.number("documents", default: options.documents, in: 1...1_000_000_000)
    options.seed = UInt64(try reader.number("seed", default: 1, in: 0...Int.max / 2))
    try reader.checkNothingIsLeft()
    return .jsonFuzz(options)
  }

  func memory(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    var options = FlatRunOptions()
    options.rounds = try reader.number("rounds", default: options.rounds, in: 1...1000)
    options.output = reader.text("output")
    try reader.checkNothingIsLeft()
    return .memory(options)
  }

  func memoryPart(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var reader = try OptionReader(arguments)
    let name = try reader.required("body")
    guard let session = FlatOptions.Session(rawValue: try reader.required("session")) else {
      throw UsageError("--session takes standard or urlSession")
    }
    let options = FlatOptions(name: name, session: session, url: try reader.required("url"))
    try reader.checkNothingIsLeft()
    return .memoryPart(options)
  }
}
