import BenchmarkReport
import BenchmarkServer
import Foundation
import Fuzz
import Herd
import JSONSpeed
import PolicyCosts
import RandomModels

/// Compares this library with others. The README explains the commands.
@main
enum Program {
  static func main() async {
    let names = Contender.all.map(\.name)
    let parsers = Subject.all.map(\.name)
    let policies = Policy.compared.map(\.identifier)
    do {
      switch try CommandParser(contenders: names.map(\.identifier), parsers: parsers, policies: policies)
        .command(from: arguments)
      {
      case .help: print(Help.text(contenders: names, parsers: parsers, policies: policies))
      case .serve: try await ServerProcess.serve()
      case .measure(let options): try await measure(options)
      case .run(let options): try await Runner(options).run()
      case .herd(let output): try Output(directory: output, name: "herd").write(HerdReport())
      case .fuzz(let options): if try !FuzzRun(options).run() { exit(1) }
      case .fuzzPart(let options): try await FuzzRun.measure(options)
      case .chaos(let options): if try await !ChaosRun(options).run() { exit(1) }
      case .policies(let options): try await measure(options)
      case .json(let options):
        let speed = try JSONSpeed(rounds: options.rounds)
        try Output(directory: options.output, name: "json")
          .write(speed.markdown(circumstances: Circumstances.machine))
      case .jsonFuzz(let options): if !compareDecoders(options) { exit(1) }
      case .memory(let options): try FlatRun(options).run()
      case .memoryPart(let options): try await FlatRun.measure(options)
      }
    } catch let error as UsageError {
      StandardError.write("\(error.message). See --help.")
      exit(64)
    } catch {
      StandardError.write("\(error)")
      exit(1)
    }
    exit(0)
  }

  private static func measure(_ options: PolicyOptions) async throws {
    let output = try Output(directory: options.output, name: "policies")
    let costs = try await PolicyCosts.measured(
      only: options.policies, rounds: options.rounds, requests: options.requests)
    if let costs { try output.write(costs.markdown(circumstances: Circumstances.machine)) }
  }

  /// - Returns: whether both decoders agree about every document.
  private static func compareDecoders(_ options: JSONFuzzOptions) -> Bool {
    var count = 0
    for seed in options.seed..<(options.seed + UInt64(options.documents)) where count < 20 {
      guard let difference = jsonRandomDifference(seed: seed) else { continue }
      print("- \(difference)")
      count += 1
    }
    print("\(options.documents) documents from seed \(options.seed) on; \(count) differences")
    return count == 0
  }

  private static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Prints a measurement as one line of JSON.
  private static func measure(_ options: MeasureOptions) async throws {
    guard let contender = Contender.named(options.contender), let url = URL(string: options.url) else {
      throw UsageError("\"\(options.url)\" is not a URL")
    }
    Watchdog.start(for: options)
    let client = try contender.open(ServerAddress(url: url, certificate: options.certificate))
    let sample = try await Measuring(options, client: client).sample()
    print(String(decoding: try JSONEncoder().encode(sample), as: UTF8.self))
    // The process exits without shutting the session down, because the shutdown isn't part of the measurement.
    withExtendedLifetime(client) { exit(0) }
  }
}
