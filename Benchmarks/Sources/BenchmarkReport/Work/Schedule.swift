/// The order of the measurements. In each round every contender runs a workload once, so that changes of the machine's
/// load affect all of them.
package struct Schedule: Sendable {
  package struct Entry: Hashable, Sendable {
    package let round: Int
    package let workload: Workload
    package let contender: String
  }

  package let entries: [Entry]

  /// - Parameters:
  ///   - contenders: the contenders; each one runs the workloads that it can run.
  ///   - rounds: the number of rounds of a speed measurement. Other measurements run once.
  package init(workloads: [Workload], contenders: [ContenderName], rounds: Int) {
    var entries: [Entry] = []
    for round in 0..<rounds {
      for workload in workloads where workload.subject == .speed || round == 0 {
        let names = contenders.filter { $0.canRun(workload) }.map(\.identifier)
        // Each round begins with another contender, so that none always follows the same one.
        let offset = names.isEmpty ? 0 : round % names.count
        for contender in names[offset...] + names[..<offset] {
          entries.append(Entry(round: round, workload: workload, contender: contender))
        }
      }
    }
    self.entries = entries
  }
}
