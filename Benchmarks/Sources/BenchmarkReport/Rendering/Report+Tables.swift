extension Report {
  /// The table of a workload, with a row for each measured contender.
  package func table(for workload: Workload) -> MarkdownTable {
    switch workload.subject {
    case .speed: speedTable(for: workload)
    case .growth: growthTable(for: workload)
    case .outstanding: outstandingTable(for: workload)
    }
  }

  private func measured(on workload: Workload) -> [ContenderName] {
    contenders.filter { !results.of($0.identifier, on: workload).isEmpty }
  }

  private func speedTable(for workload: Workload) -> MarkdownTable {
    let scale = workload.megabytes ?? 1
    var table = MarkdownTable([
      "client", workload.megabytes == nil ? "requests/s" : "MB/s", "least–greatest", "× URLSession", "× AHC",
      "CPU µs/request", "CPU × AHC", "machine in use", "switches/request", "99% within, ms", "peak memory growth, MB",
    ])
    for contender in measured(on: workload) {
      let name = contender.identifier
      func median(_ figure: (Sample) -> Double) -> Double? {
        results.spread(of: figure, name, on: workload)?.median
      }
      func ratio(_ figure: (Sample) -> Double, _ base: String) -> String {
        results.ratio(of: figure, name, to: base, on: workload).map { NumberText.fixed($0, digits: 2) } ?? "–"
      }
      let rate = results.spread(of: { $0.requestsPerSecond * scale }, name, on: workload)
      table.add([
        contender.title, NumberText.short(rate?.median),
        rate.map { "\(NumberText.short($0.least))–\(NumberText.short($0.greatest))" } ?? "–",
        ratio(\.requestsPerSecond, bases.foundation), ratio(\.requestsPerSecond, bases.asyncHTTPClient),
        NumberText.short(median(\.processorMicroseconds)),
        ratio(\.processorMicroseconds, bases.asyncHTTPClient),
        NumberText.percent(median { $0.machineInUse ?? .nan }),
        NumberText.short(median(\.contextSwitchesPerRequest)),
        NumberText.short(median { ($0.slowestPercentile ?? .nan) * 1000 }),
        median { Double($0.peakGrowth) }.map(NumberText.megabytes) ?? "–",
      ])
    }
    return table
  }

  private func growthTable(for workload: Workload) -> MarkdownTable {
    var table = MarkdownTable([
      "client", "requests", "failures", "connections", "MB before", "MB after", "growth, MB", "bytes/request",
    ])
    for contender in measured(on: workload) {
      for sample in results.of(contender.identifier, on: workload) {
        let growth = Double(sample.growth)
        table.add([
          contender.title, NumberText.fixed(Double(sample.requests)), "\(sample.failures)",
          sample.connections.map { "\($0)" } ?? "–",
          NumberText.megabytes(Double(sample.memoryBefore)),
          NumberText.megabytes(Double(sample.memoryAfter)), NumberText.fixed(growth / 1e6, digits: 2),
          NumberText.short(growth / Double(max(1, sample.requests))),
        ])
      }
    }
    return table
  }

  private func outstandingTable(for workload: Workload) -> MarkdownTable {
    var table = MarkdownTable([
      "client", "requests", "failures", "connections", "bytes each while they wait", "CPU µs/request",
      "MB before", "MB at most", "MB after",
    ])
    for contender in measured(on: workload) {
      for sample in results.of(contender.identifier, on: workload) {
        table.add([
          contender.title, NumberText.fixed(Double(sample.requests)), "\(sample.failures)",
          sample.connections.map { "\($0)" } ?? "–",
          NumberText.fixed(sample.bytesWhileWaiting),
          NumberText.short(sample.processorMicroseconds),
          NumberText.megabytes(Double(sample.memoryBefore)),
          NumberText.megabytes(Double(sample.memoryPeak)),
          NumberText.megabytes(Double(sample.memoryAfter)),
        ])
      }
    }
    return table
  }
}
