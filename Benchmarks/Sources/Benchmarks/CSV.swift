import Foundation

/// Prints figures as lines of comma-separated values, which `Benchmarks/report` turns into tables.
enum CSV {
  static let head = "table,row,figure,round,value"

  /// Prints one figure of one round. A value that isn't known has no line.
  static func write(_ table: String, _ row: String, _ figure: String, round: Int = 0, _ value: Double?) {
    guard let value, value.isFinite else { return }
    // A child process may end without another chance to empty its buffer.
    put("\(quoted(table)),\(quoted(row)),\(quoted(figure)),\(round),\(value)")
  }

  /// Prints a fact about the run.
  static func note(_ text: String) { put("# \(text.replacingOccurrences(of: "\n", with: " "))") }

  static func put(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  /// Prints progress to standard error.
  static func progress(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

  private static func quoted(_ text: String) -> String {
    text.contains { "\",\n".contains($0) } ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
  }
}
