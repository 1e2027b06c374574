extension Report {
  /// The picture, with a panel for each workload that has figures.
  package var picture: ChartPage {
    ChartPage(title: "Benchmark results", charts: workloads.map(chart).filter { !$0.bars.isEmpty })
  }

  package func chart(for workload: Workload) -> BarChart {
    BarChart(
      title: workload.title, caption: caption(for: workload),
      bars: contenders.compactMap { contender in
        let figure = figure(for: workload)
        return results.spread(of: figure, contender.identifier, on: workload).map { spread in
          BarChart.Bar(
            label: contender.title, value: spread.median, text: text(of: spread.median, for: workload),
            style: contender.family.rawValue)
        }
      })
  }

  private func caption(for workload: Workload) -> String {
    switch workload.subject {
    case .speed: (workload.megabytes == nil ? "Requests" : "Megabytes") + " per second: more is better"
    case .growth: "Megabytes that the process has grown by: less is better"
    case .outstanding: "Bytes that each waiting request holds: less is better"
    }
  }

  private func figure(for workload: Workload) -> (Sample) -> Double {
    switch workload.subject {
    case .speed: { $0.requestsPerSecond * (workload.megabytes ?? 1) }
    case .growth: { Double($0.growth) / 1e6 }
    case .outstanding: { $0.bytesWhileWaiting }
    }
  }

  private func text(of value: Double, for workload: Workload) -> String {
    workload.subject == .outstanding ? NumberText.fixed(value) : NumberText.short(value)
  }
}
