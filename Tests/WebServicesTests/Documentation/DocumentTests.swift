import Foundation
import Testing
import WebServices

/// Checks that the samples of the README and of the articles are compiled, and that their links lead somewhere.
@Suite struct DocumentTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }
  private static let catalogues = [
    "Sources/WebServices/WebServices.docc", "Sources/WebServicesTesting/WebServicesTesting.docc",
  ]
  private static let documents = ["README.md"] + catalogues.flatMap { files(in: $0, ending: ".md") }

  /// The folders of examples with samples. The programs of a package are listed, because its build is beside them.
  private static let examples =
    ["Examples/SignIn"]
    + ["SwiftLog", "SwiftMetrics", "DistributedTracing", "Lifecycle", "TypedFields", "GeneratedClient"]
    .map { "Examples/Integrations/\($0)" }

  private static func files(in folder: String, ending: String) -> [String] {
    let names = try? FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func samples(in folders: [String]) throws -> [(name: String, code: String)] {
    try folders.flatMap { files(in: $0, ending: ".swift") }
      .flatMap { DocumentSamples.samples(inSource: try text($0)) }
  }

  @Test(arguments: documents)
  func samplesOfDocumentsAreCompiled(of document: String) throws {
    let tested = Set(try Self.samples(in: ["Tests/WebServicesTests/Documentation/Samples"]).map(\.name))
    let examples = Dictionary(try Self.samples(in: Self.examples).map { ($0.name, $0.code) }, uniquingKeysWith: { $1 })
    for block in DocumentSamples.blocks(inMarkdown: try Self.text(document)) {
      let names = try #require(block.names, "no comment names the sample that begins \(block.code.prefix(60))")
      for name in names where !tested.contains(name) {
        let code = try #require(examples[name], "neither a test nor an example has the sample \(name)")
        #expect(DocumentSamples.withoutLayout(block.code) == DocumentSamples.withoutLayout(code))
      }
    }
  }

  @Test func aSampleHasOneTextInAllDocuments() throws {
    let blocks = try Self.documents.flatMap { DocumentSamples.blocks(inMarkdown: try Self.text($0)) }
    var codes: [String: Set<String>] = [:]
    for block in blocks { for name in block.names ?? [] { codes[name, default: []].insert(block.code) } }
    #expect(codes.filter { $0.value.count > 1 }.keys.sorted() == [])
    #expect(codes.count > 100, "the samples weren't found")
    let inExamples = try Self.samples(in: Self.examples).map(\.name)
    #expect(Set(inExamples).subtracting(codes.keys).sorted() == [], "samples of examples that stand in no document")
  }

  /// The site cuts off longer lines in a window of 1,280 pixels.
  @Test(arguments: catalogues.flatMap { files(in: $0, ending: ".md") })
  func samplesFitIntoTheSite(of document: String) throws {
    let lines = DocumentSamples.lines(inMarkdown: try Self.text(document))
    #expect(lines.filter { $0.count > 76 } == [])
  }

  @Test func linesOfSamplesAreFound() {
    let document = "text\n\n```swift\nlet a = 1\n```\n\ntext\n\n```\nls\n```\n"
    #expect(DocumentSamples.lines(inMarkdown: document) == ["let a = 1", "ls"])
  }

  @Test func readmeIsReadInTwoMinutes() throws {
    #expect(try Self.text("README.md").split(whereSeparator: \.isWhitespace).count <= 750)
  }

  @Test func versionIsTheNewestOneOfTheChangelog() throws {
    let headings = try Self.text("CHANGELOG.md").components(separatedBy: "\n## ").dropFirst()
    #expect(headings.first?.hasPrefix("Unreleased\n") == true)
    #expect(headings.dropFirst().first?.hasPrefix("\(Version.current), 20") == true)
    for document in ["README.md", "Sources/WebServices/WebServices.docc/Articles/GettingStarted.md"] {
      #expect(try Self.text(document).contains("from: \"\(Version.current)\""), "\(document)")
    }
  }

  @Test func allPlacesNameTheOldestSwift() throws {
    let places = [
      ("README.md", "You need Swift "), ("CONTRIBUTING.md", "You need Swift "),
      ("Sources/WebServices/WebServices.docc/Articles/GettingStarted.md", "You need Swift "),
      ("Sources/WebServices/WebServices.docc/Articles/SupportedSystems.md", "needs Swift "),
      (".github/workflows/check.yml", "container: swift:"), ("Package.swift", "swift-tools-version: "),
      ("Examples/Package.swift", "swift-tools-version: "), ("Examples/Feather/Package.swift", "swift-tools-version: "),
      ("Examples/Integrations/Package.swift", "swift-tools-version: "),
      ("Benchmarks/Package.swift", "swift-tools-version: "), ("scripts/weight", "swift-tools-version: "),
    ]
    for (path, words) in places {
      let version = try Self.text(path).components(separatedBy: words).dropFirst().first?
        .prefix { $0.isNumber || $0 == "." }
      #expect(version == "6.2", "\(path)")
    }
  }

  @Test(arguments: documents)
  func linksOfDocumentsLeadToFiles(of document: String) throws {
    let targets = try Self.text(document).components(separatedBy: "](").dropFirst().map { $0.prefix { $0 != ")" } }
    let folder = Self.root.appendingPathComponent(document).deletingLastPathComponent()
    for target in targets where !target.contains("://") {
      // docc looks for a picture in the folder of resources.
      let places = ["", "Resources/"].map { folder.appendingPathComponent("\($0)\(target)") }
      #expect(places.contains(where: exists), "\(target)")
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
