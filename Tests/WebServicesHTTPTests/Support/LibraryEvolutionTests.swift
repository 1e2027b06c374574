@testable import WebServicesTestSupport

/// Library evolution forbids code that other modules inline, unless the layout of its type is fixed.
@Suite(.disabled(if: Compiler.isMissing))
struct LibraryEvolutionTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }

  @Test func inlinableCodeIsOfTypesWithAFixedLayout() async throws {
    let folder = Self.root.appendingPathComponent("Sources/WebServices/HTTP")
    expectEqual(try await Compiler.errorsWithLibraryEvolution(in: folder), [])
  }
}
