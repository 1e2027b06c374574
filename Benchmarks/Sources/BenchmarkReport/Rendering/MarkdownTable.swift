/// A Markdown table. The first column contains text, the others numbers.
package struct MarkdownTable: Sendable {
  package let header: [String]
  package private(set) var rows: [[String]] = []

  package init(_ header: [String]) {
    self.header = header
  }

  /// Adds a row. Missing cells stay empty, and surplus cells are dropped.
  package mutating func add(_ row: [String]) {
    let missing = max(0, header.count - row.count)
    rows.append(Array(row.prefix(header.count)) + Array(repeating: "", count: missing))
  }

  package var text: String {
    let alignment = header.indices.map { $0 == 0 ? "---" : "---:" }
    return ([header, alignment] + rows).map(line).joined(separator: "\n") + "\n"
  }

  private func line(_ cells: [String]) -> String {
    "| " + cells.map(Self.escaped).joined(separator: " | ") + " |"
  }

  /// A bar inside a cell would end the cell.
  private static func escaped(_ cell: String) -> String {
    cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
