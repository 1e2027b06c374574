import Foundation
import World

/// Runs plans of consecutive seeds, and prints the story of the first failure of each kind.
///
///     Simulate [FIRST SEED (1)] [NUMBER OF PLANS (100000)]
@main
enum Simulate {
  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let start = Date()
    let findings = await Simulation.search(
      from: numbers.first ?? 1, plans: Int(numbers.dropFirst().first ?? 100_000))
    let seconds = Date().timeIntervalSince(start)
    let kinds = findings.kinds.sorted { $0.value.count > $1.value.count }
    for (_, found) in kinds { print("\(found.story)\n") }
    for (kind, found) in kinds { print("\(found.count) times, first with seed \(found.story.plan.seed): \(kind)") }
    print("\(findings.plans) plans in \(Int(seconds)) s, \(Int(Double(findings.plans) / seconds * 60)) a minute")
    exit(kinds.isEmpty ? 0 : 1)
  }
}
