import BenchmarkReport
import Foundation
import Herd

/// Prints a report to standard output, and writes it as a table, a picture and raw measurements to a directory.
struct Output {
  private let directory: URL
  private let name: String

  /// - Parameter directory: the directory, which is made if necessary; `nil` is `Results` in the package.
  init(directory path: String?, name: String) throws {
    // The command may run in the root of the repository or in the package's folder.
    let package = FileManager.default.fileExists(atPath: "Benchmarks/Package.swift") ? "Benchmarks/" : ""
    directory = URL(fileURLWithPath: path ?? "\(package)Results", isDirectory: true)
    self.name = name
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func write(_ report: Report, samples: [Sample]) throws {
    let text = report.markdown(picture: "\(name).svg")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let lines = try samples.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
    try write(text, "md")
    try write(report.picture.svg, "svg")
    try write(lines.joined(), "jsonl")
    print(text)
    StandardError.write("Written to \(directory.path)/\(name).md, .svg and .jsonl")
  }

  func write(_ report: HerdReport) throws {
    try write(report.markdown, "md")
    try write(report.svg, "svg")
    print(report.markdown)
    StandardError.write("Written to \(directory.path)/\(name).md and .svg")
  }

  /// Writes a report that consists of text only.
  func write(_ markdown: String) throws {
    try write(markdown, "md")
    print(markdown)
    StandardError.write("Written to \(directory.path)/\(name).md")
  }

  private func write(_ text: String, _ suffix: String) throws {
    try Data(text.utf8).write(to: directory.appendingPathComponent("\(name).\(suffix)"))
  }
}
