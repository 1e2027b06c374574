import Foundation
import RandomModels

/// Compares this library with others. The README explains the commands.
@main
enum Program {
  static func main() async {
    do {
      exit(try await run() ? 0 : 1)
    } catch let error as UsageError {
      CSV.progress("\(error.message). See --help.")
      exit(64)
    } catch {
      CSV.progress("\(error)")
      exit(1)
    }
  }

  /// - Returns: whether nothing failed that the command checks.
  private static func run() async throws -> Bool {
    var arguments = CommandLine.arguments.dropFirst()
    let command = arguments.first.map { $0.hasPrefix("-") } ?? true ? "run" : arguments.removeFirst()
    if command == "help" || arguments.contains("--help") || arguments.contains("-h") {
      print(Help.text)
      return true
    }
    var options = try Options(arguments)
    switch command {
    case "serve": try await ServerProcess.serve(&options)
    case "measure": try await Measuring.run(&options)
    case "herd": return try Herd.run(&options)
    case "policies": try await PolicyCosts.run(&options)
    case "json": try JSONSpeed.run(&options)
    case "json-fuzz": return try compareDecoders(&options)
    case "memory": try FlatRun.run(&options)
    case "memory-part": try await FlatRun.measure(&options)
    case "fuzz": return try FuzzRun(&options).run()
    case "fuzz-part": try await FuzzRun.measure(&options)
    case "chaos": return try await ChaosRun(&options).run()
    default: try await Runner(command, &options).run()
    }
    return true
  }

  /// - Returns: whether both decoders agree about every document.
  private static func compareDecoders(_ options: inout Options) throws -> Bool {
    let documents = try options.number("documents", 1_000_000, atLeast: 1)
    let seed = try options.number("seed", UInt64(1), atLeast: 0)
    try options.end()
    var count = 0
    for seed in seed..<(seed + UInt64(documents)) where count < 20 {
      guard let difference = jsonRandomDifference(seed: seed) else { continue }
      print("- \(difference)")
      count += 1
    }
    print("\(documents) documents from seed \(seed) on; \(count) differences")
    return count == 0
  }
}
