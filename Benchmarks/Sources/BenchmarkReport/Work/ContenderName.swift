/// How a contender is called, apart from what it does.
package struct ContenderName: Hashable, Sendable {
  /// Who made it, which is its colour in the picture.
  package enum Family: String, Hashable, Sendable {
    case webServices, foundation, asyncHTTPClient
  }

  /// What it is called on the command line.
  package let identifier: String
  /// What it is called in the report.
  package let title: String
  package let family: Family

  package init(_ identifier: String, title: String, family: Family) {
    self.identifier = identifier
    self.title = title
    self.family = family
  }
}
