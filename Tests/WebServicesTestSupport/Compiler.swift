/// The Swift compiler of this machine, with the modules of this build.
enum Compiler {
  /// The folder of the build products, next to the test bundle.
  static let products: URL? = {
    var files = [CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }, Bundle.main.executableURL]
    // On Linux the test bundle is the program, and `allBundles` crashes in Swift 6.2.
    #if canImport(Darwin)
      files += Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    #endif
    return files.compactMap { $0?.deletingLastPathComponent() }.first { folder in
      ["Modules/WebServices.swiftmodule", moduleMap].allSatisfy {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
      }
    }
  }()

  /// The module map of the C code.
  private static let moduleMap = "CurlShim.build/module.modulemap"

  static var isMissing: Bool { products == nil }

  /// The errors and warnings of a file.
  ///
  /// - Parameter mode: the version of the language.
  static func diagnostics(of source: String, mode: Int = 6) async throws -> [String] {
    let (folder, products) = (try TemporaryFolder(), try #require(products))
    let file = folder.url.appendingPathComponent("Program.swift")
    try Data(source.utf8).write(to: file)
    return try await diagnostics([
      "-typecheck", "-swift-version", "\(mode)", "-diagnostic-style", "llvm", "-parse-as-library",
      "-module-cache-path", folder.url.path, "-I", products.appendingPathComponent("Modules").path,
      "-Xcc", "-fmodule-map-file=\(products.appendingPathComponent(moduleMap).path)", file.path,
    ])
  }

  /// The errors of a module that is built with library evolution, as a framework that is shipped as a binary needs it.
  ///
  /// - Parameter folder: the sources. The module imports no other one of the package.
  static func errorsWithLibraryEvolution(in folder: URL) async throws -> [String] {
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    let sources = files.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0).path }
    try #require(!sources.isEmpty)
    let cache = try TemporaryFolder()
    // `-emit-sil` and not `-typecheck`, because the compiler checks initializers in a later pass.
    return try await diagnostics(
      ["-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6", "-diagnostic-style", "llvm"]
        + ["-parse-as-library", "-module-name", "Module", "-package-name", "Package", "-enable-library-evolution"]
        + ["-enable-upcoming-feature", "InternalImportsByDefault", "-module-cache-path", cache.url.path] + sources
    ).filter { $0.contains(": error: ") }
  }

  private static func diagnostics(_ arguments: [String]) async throws -> [String] {
    let ended = try await EndedProcess.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["swiftc"] + arguments, mergesErrors: true)
    return String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      $0.contains(".swift:") && ($0.contains(": error: ") || $0.contains(": warning: "))
    }
  }
}
