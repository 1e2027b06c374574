import BenchmarkReport
import Testing

@Suite struct CommandParserTests {
  private let parser = CommandParser(contenders: ["fast", "slow"], parsers: ["lines", "dates"], policies: ["retry"])

  private func options(_ arguments: String...) throws -> RunOptions {
    guard case .run(let options) = try parser.command(from: arguments) else {
      throw UsageError("not a run")
    }
    return options
  }

  @Test func noArgumentsRunEverything() throws {
    let options = try options()
    #expect(options.name == "run")
    #expect(options.workloads == Workload.all)
    #expect(options.contenders == ["fast", "slow"])
    #expect(options.rounds == 3)
    #expect(options.output == nil)
    #expect(try parser.command(from: ["run"]) == .run(options))
  }

  @Test func optionsNeedNoCommand() throws {
    let options = try options("--rounds=5", "--seconds", "0.5", "--only", "growth,json-976-1", "--output", "here")
    #expect(options.rounds == 5)
    #expect(options.secondsPerMeasurement == 0.5)
    #expect(options.workloads.map(\.identifier) == ["json-976-1", "growth"])
    #expect(options.output == "here")
  }

  @Test func commandsSelectPartsOfTheRun() throws {
    #expect(try options("quick").workloads.map(\.identifier) == ["json-976-1", "json-976-16"])
    #expect(try options("growth", "--requests", "1000").requests == 1000)
    #expect(try options("outstanding", "--contenders", "slow", "--server", "own").contenders == ["slow"])
  }

  @Test func concurrencySelectsWorkloadsContendersAndRounds() throws {
    let parser = CommandParser(contenders: ["curl-loop", "other", "webservices"], parsers: [], policies: [])
    guard case .run(let options) = try parser.command(from: ["concurrency"]) else { throw UsageError("not a run") }
    #expect(
      options.workloads.map(\.identifier) == [
        "json-976-1", "json-976-16", "json-976-64", "json-tls-1", "json-tls-16", "json-tls-64", "json-h2-1",
        "json-h2-16", "json-h2-64",
      ])
    #expect(options.contenders == ["curl-loop", "webservices"])
    #expect(options.rounds == 5)
    guard case .run(let other) = try parser.command(from: ["concurrency", "--rounds", "1", "--contenders", "other"])
    else { throw UsageError("not a run") }
    #expect(other.contenders == ["other"])
    #expect(other.rounds == 1)
  }

  @Test func childArgumentsAreParsed() throws {
    let workload = try #require(Workload.named("json-64k-16"))
    let options = MeasureOptions(
      contender: "slow", workload: workload, secondsPerMeasurement: 1.5, requests: 300, url: "http://127.0.0.1:1")
    #expect(try parser.command(from: options.arguments) == .measure(options))
    var secure = options
    secure.certificate = "/there/certificate.pem"
    #expect(try parser.command(from: secure.arguments) == .measure(secure))
  }

  @Test func herdCommandTakesOnlyAFolder() throws {
    #expect(try parser.command(from: ["herd"]) == .herd(output: nil))
    #expect(try parser.command(from: ["herd", "--output", "here"]) == .herd(output: "here"))
    #expect(throws: UsageError.self) { try parser.command(from: ["herd", "--rounds", "3"]) }
  }

  @Test func fuzzingIsRepeatableBySeed() throws {
    var options = FuzzOptions(subjects: ["dates"])
    options.inputs = 10
    options.seed = 7
    let arguments = ["fuzz", "--inputs", "10", "--seed", "7", "--only", "dates"]
    #expect(try parser.command(from: arguments) == .fuzz(options))
    let part = FuzzPartOptions(subject: "dates", seed: 7, start: 3, end: 10, mark: "there")
    #expect(try parser.command(from: part.arguments) == .fuzzPart(part))
    #expect(throws: UsageError.self) { try parser.command(from: ["fuzz", "--only", "times"]) }
  }

  @Test func chaosCommandTakesMinutesSeedAndPlans() throws {
    #expect(try parser.command(from: ["chaos"]) == .chaos(ChaosOptions()))
    var options = ChaosOptions()
    (options.minutes, options.seed, options.plans) = (3, 7, 20)
    #expect(try parser.command(from: ["chaos", "--minutes", "3", "--seed", "7", "--plans", "20"]) == .chaos(options))
    #expect(throws: UsageError.self) { try parser.command(from: ["chaos", "--rounds", "3"]) }
  }

  @Test func policyAndBodyChecksRunInRounds() throws {
    var json = JSONOptions()
    json.rounds = 3
    #expect(try parser.command(from: ["json", "--rounds", "3"]) == .json(json))
    var documents = JSONFuzzOptions()
    documents.seed = 7
    #expect(try parser.command(from: ["json-fuzz", "--seed", "7"]) == .jsonFuzz(documents))
    var policies = PolicyOptions(policies: ["retry"])
    policies.rounds = 3
    #expect(try parser.command(from: ["policies", "--rounds", "3"]) == .policies(policies))
    #expect(try parser.command(from: ["memory"]) == .memory(FlatRunOptions()))
    let part = FlatOptions(name: "upload-file", session: .urlSession, url: "http://127.0.0.1:1")
    #expect(try parser.command(from: part.arguments) == .memoryPart(part))
    #expect(throws: UsageError.self) { try parser.command(from: ["memory", "--seconds", "3"]) }
  }

  @Test func helpWinsOverOtherArguments() throws {
    #expect(try parser.command(from: ["quick", "--help"]) == .help)
    #expect(try parser.command(from: ["-h"]) == .help)
  }

  @Test(
    arguments: [
      ["race"], ["quick", "fast"], ["--rounds"], ["--rounds", "0"], ["--rounds", "many"], ["--seconds", "nan"],
      ["--only", "nothing"], ["--only", ""], ["--contenders", "fast,other"], ["--server", "apache"],
      ["--speed", "1"], ["--rounds", "1", "--rounds=2"], ["growth", "--only", "json-976-1"], ["serve", "--port", "1"],
      ["measure", "--workload", "growth", "--url", "http://127.0.0.1"],
      ["measure", "--contender", "other", "--workload", "growth", "--url", "http://127.0.0.1"],
    ])
  func wrongArgumentsAreRefused(arguments: [String]) {
    #expect(throws: UsageError.self) { try parser.command(from: arguments) }
  }
}
