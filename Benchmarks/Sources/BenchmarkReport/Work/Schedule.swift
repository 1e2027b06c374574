/// The order of the measurements. In each round every contender runs a workload once, so that changes of the machine's
/// load affect all of them.
package struct Schedule: Sendable {
  package struct Entry: Hashable, Sendable {
    package let round: Int
    package let workload: Workload
    package let contender: String
  }

  package let entries: [Entry]

  /// - Parameter rounds: the number of rounds of a speed measurement. Other measurements run once.
  package init(workloads: [Workload], contenders: [String], rounds: Int) {
    var entries: [Entry] = []
    for round in 0..<rounds {
      for workload in workloads where workload.subject == .speed || round == 0 {
        // Each round begins with another contender, so that none always follows the same one.
        let offset = contenders.isEmpty ? 0 : round % contenders.count
        for contender in contenders[offset...] + contenders[..<offset] {
          entries.append(Entry(round: round, workload: workload, contender: contender))
        }
      }
    }
    self.entries = entries
  }
}
