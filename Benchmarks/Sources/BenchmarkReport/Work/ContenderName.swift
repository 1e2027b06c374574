/// Names an HTTP client that the benchmarks measure (a contender).
package struct ContenderName: Hashable, Sendable {
  /// The library that the contender uses. The family sets the contender's color in the chart.
  package enum Family: String, Hashable, Sendable {
    case webServices, foundation, asyncHTTPClient
  }

  /// The name on the command line.
  package let identifier: String
  /// The name in the report.
  package let title: String
  package let family: Family

  package init(_ identifier: String, title: String, family: Family) {
    self.identifier = identifier
    self.title = title
    self.family = family
  }
}
