/// A run as a Markdown document.
package struct Report: Sendable {
  /// The contenders to compare with.
  package struct Bases: Sendable {
    package var foundation: String
    package var asyncHTTPClient: String

    package init(foundation: String, asyncHTTPClient: String) {
      self.foundation = foundation
      self.asyncHTTPClient = asyncHTTPClient
    }
  }

  package let results: Results
  package let workloads: [Workload]
  package let contenders: [ContenderName]
  package let bases: Bases
  /// The circumstances of the run, one fact per line.
  package let circumstances: [String]
  /// The problems that occurred during the run.
  package let problems: [String]

  package init(
    results: Results, workloads: [Workload], contenders: [ContenderName], bases: Bases,
    circumstances: [String],
    problems: [String]
  ) {
    self.results = results
    self.workloads = workloads
    self.contenders = contenders
    self.bases = bases
    self.circumstances = circumstances
    self.problems = problems
  }

  /// The document. It refers to the picture if there is one.
  package func markdown(picture: String?) -> String {
    var parts = ["# Benchmark results\n", Self.list(circumstances)]
    if let picture { parts.append("![The figures below as bars](\(picture))\n") }
    for workload in workloads {
      parts.append("## \(workload.title)\n")
      parts.append(table(for: workload).text)
    }
    let problems = problems + failures
    if !problems.isEmpty {
      parts.append("## Problems\n")
      parts.append(Self.list(problems))
    }
    return parts.joined(separator: "\n")
  }

  private static func list(_ lines: [String]) -> String {
    lines.map { "- \($0)\n" }.joined()
  }

  private var failures: [String] {
    results.samples.filter { $0.failures > 0 }.map { sample in
      let reason = sample.firstFailure.map { ", the first: \($0)" } ?? ""
      return "\(sample.contender) on \(sample.workload), round \(sample.round + 1): "
        + "\(sample.failures) of \(sample.requests) requests failed\(reason)"
    }
  }
}
