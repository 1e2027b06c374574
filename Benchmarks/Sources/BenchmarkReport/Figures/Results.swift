/// All measurements of a run, and the figures computed from them.
package struct Results: Sendable {
  package let samples: [Sample]

  package init(_ samples: [Sample]) {
    self.samples = samples
  }

  package func of(_ contender: String, on workload: Workload) -> [Sample] {
    samples.filter { $0.contender == contender && $0.workload == workload.identifier }
  }

  package func spread(
    of figure: (Sample) -> Double, _ contender: String, on workload: Workload
  ) -> Spread? {
    Spread(of(contender, on: workload).map(figure))
  }

  /// Compares a figure with another contender's: the median of the ratios of each round. The two measurements of a
  /// round are close in time.
  package func ratio(
    of figure: (Sample) -> Double, _ contender: String, to base: String, on workload: Workload
  ) -> Double? {
    let bases = Dictionary(
      of(base, on: workload).map { ($0.round, figure($0)) }, uniquingKeysWith: { first, _ in first })
    return Statistics.medianRatio(
      of(contender, on: workload).compactMap { sample in
        bases[sample.round].map { (value: figure(sample), base: $0) }
      })
  }
}
