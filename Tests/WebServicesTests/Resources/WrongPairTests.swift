import Foundation
import Testing
@testable import WebServicesTestSupport

/// Compiles code that must be rejected, and checks the compiler's errors.
@Suite struct WrongPairTests {
  private static let program = """
    import WebServices

    enum KongAuth: BackendAuth { static let authorization = WebServiceAuthorizationType.bearer }
    enum ClinicalAuth: BackendAuth { static let authorization = WebServiceAuthorizationType.apiToken }
    struct Cities: Decodable, Sendable { var names: [String] }

    let open = BackendResource<Void, Cities, NoAuth>(path: .api(Backend("core"), "/open"), method: .get)
    let kong = BackendResource<Void, Cities, KongAuth>(path: .api(Backend("core"), "/kong"), method: .get)
    let clinical = BackendResource<Cities?, Cities, ClinicalAuth>(
      path: .api(Backend("core"), "/clinical"), method: .post,
      content: .body { _ in nil }, parser: .json())


    """

  @Test(
    .enabled(if: Compiler.isUsable, "there is no swiftc with the module that was built"),
    arguments: [
      ("any Accessible", "access(kong)", "KongAuth", "NoAuth"),
      ("ResourceAccessor", "access(kong)", "KongAuth", "NoAuth"),
      ("any Accessible", "access(clinical, with: nil)", "ClinicalAuth", "NoAuth"),
      ("AuthenticatedAccessor<KongAuth>", "access(open)", "NoAuth", "KongAuth"),
      ("some AuthenticatedAccessible<KongAuth>", "access(clinical, with: nil)", "ClinicalAuth", "KongAuth"),
    ])
  func wrongPairsFailToCompile(accessor: String, call: String, given: String, expected: String) async throws {
    let result = try await Compiler.check(
      Self.program + "func access(accessor: \(accessor)) async throws { _ = try await accessor.\(call) }")
    #expect(!result.isAccepted)
    let lines = result.output.split(separator: "\n").filter { $0.contains("Program.swift:") && $0.contains(" error: ") }
    #expect(lines.count == 1, "\(result.output)")
    let line = try #require(lines.first)
    #expect(line.contains("cannot convert value of type"))
    #expect(line.contains(", \(given)>'"))
    #expect(line.contains("expected argument type"))
    #expect(line.contains(", \(expected)>'"))
  }
}

/// The Swift compiler of this machine, with the module of this build.
private enum Compiler {
  struct Result: Equatable {
    var isAccepted: Bool
    var output: String
  }

  /// The folder of the build products, next to the test bundle.
  private static let products: URL? = {
    let program = CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let files = bundles + [program, Bundle.main.executableURL].compactMap { $0 }
    return files.map { $0.deletingLastPathComponent() }.first { folder in
      [module(in: folder), moduleMap(in: folder)].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
    }
  }()

  private static func module(in products: URL) -> URL {
    products.appendingPathComponent("Modules/WebServices.swiftmodule")
  }

  private static func moduleMap(in products: URL) -> URL {
    products.appendingPathComponent("CurlShim.build/module.modulemap")
  }

  private static let executable: URL? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  static var isUsable: Bool { executable != nil && products != nil }

  static func check(_ program: String) async throws -> Result {
    let executable = try #require(executable)
    let products = try #require(products)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("WrongPairTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Program.swift")
    try Data(program.utf8).write(to: file)
    let arguments = [
      "-swift-version", "6", "-typecheck", "-diagnostic-style=llvm", "-parse-as-library", "-module-name", "Program",
      "-module-cache-path", folder.path, "-I", module(in: products).deletingLastPathComponent().path,
      "-Xcc", "-fmodule-map-file=\(moduleMap(in: products).path)", file.path,
    ]
    let ended = try await EndedProcess.run(executable, arguments, mergesErrors: true)
    return Result(isAccepted: ended.status == 0, output: String(decoding: ended.output, as: UTF8.self))
  }
}
