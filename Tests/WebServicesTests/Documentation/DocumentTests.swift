import Foundation
import Testing

/// Checks that the README and the articles contain the compiled samples, and that their links lead somewhere.
@Suite struct DocumentTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }
  private static let catalogues = [
    "Sources/WebServices/WebServices.docc", "Sources/WebServicesTesting/WebServicesTesting.docc",
  ]
  private static let documents = ["README.md"] + catalogues.flatMap { files(in: $0, ending: ".md") }

  /// The folders with compiled samples. A package of examples is listed by its programs, because its build is beside
  /// them.
  private static let folders =
    ["Tests/WebServicesTests/Documentation", "Examples/SignIn"]
    + ["SwiftLog", "SwiftMetrics", "DistributedTracing", "Lifecycle", "TypedFields"]
    .map { "Examples/Integrations/\($0)" }

  private static func files(in folder: String, ending: String) -> [String] {
    let names = try? FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func pieces() throws -> [Samples.Piece] {
    try folders.flatMap { files(in: $0, ending: ".swift") }
      .flatMap { Samples.pieces(inSource: try text($0)) }
  }

  @Test(arguments: documents)
  func samplesOfDocumentsAreCompiledCode(of document: String) throws {
    let pieces = Dictionary(try Self.pieces().map { ($0.name, $0.code) }, uniquingKeysWith: { $1 })
    for block in Samples.blocks(inMarkdown: try Self.text(document)) {
      let names = try #require(block.pieces, "no comment names the sample that begins \(block.code.prefix(60))")
      guard !names.isEmpty else { continue }
      let code = try names.map { try #require(pieces[$0], "there is no piece \($0)") }.joined(separator: "\n")
      #expect(Samples.withoutLayout(block.code) == Samples.withoutLayout(code))
    }
  }

  @Test func everyCodeSampleAppearsInADocument() throws {
    let names = try Self.pieces().map(\.name)
    let used = try Self.documents.flatMap { document in
      Samples.blocks(inMarkdown: try Self.text(document)).flatMap { $0.pieces ?? [] }
    }
    #expect(names.count == Set(names).count, "two pieces have one name")
    #expect(Set(names).subtracting(used).sorted() == [], "pieces that stand in no sample")
    #expect(Self.documents.count > 10, "the articles weren't found")
  }

  @Test func readmeIsReadInTwoMinutes() throws {
    #expect(try Self.text("README.md").split(whereSeparator: \.isWhitespace).count <= 700)
  }

  @Test func versionIsTheOneOfTheChangelog() throws {
    let text = try Self.text("Sources/WebServices/Core/Request/RequestDescription.swift")
    let agent = try #require(text.components(separatedBy: "userAgent = \"").last?.prefix { $0 != "\"" })
    let version = try #require(agent.split(separator: "/").last)
    let changelog = try Self.text("CHANGELOG.md")
    let heading = try #require(changelog.components(separatedBy: "\n## ").dropFirst().first)
    #expect(heading.hasPrefix("\(version)") || heading.hasPrefix("Unreleased"))
    #expect(changelog.contains("`\(agent)`"))
    #expect(try Self.text("Sources/FeatherDemo/CommandLine/HelpText.swift").contains("FeatherDemo \(version)"))
  }

  @Test(arguments: documents)
  func linksOfDocumentsLeadToFiles(of document: String) throws {
    let targets = try Self.text(document).components(separatedBy: "](").dropFirst().map { $0.prefix { $0 != ")" } }
    let folder = Self.root.appendingPathComponent(document).deletingLastPathComponent()
    for target in targets where !target.contains("://") {
      #expect(exists(folder.appendingPathComponent(String(target))), "\(target)")
    }
  }

  @Test(arguments: documents)
  func filesNamedByArticlesExist(of document: String) throws {
    let spans = try Self.text(document).components(separatedBy: "`").filter { span in
      ["Sources/", "Tests/", "Benchmarks/"].contains { span.hasPrefix($0) } && !span.contains("\n")
    }
    for span in spans {
      #expect(exists(Self.root.appendingPathComponent(span)), "\(span)")
    }
  }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
