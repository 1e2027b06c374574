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
    let arguments = [
      "swiftc", "-typecheck", "-swift-version", "\(mode)", "-diagnostic-style", "llvm", "-parse-as-library",
      "-module-cache-path", folder.url.path, "-I", products.appendingPathComponent("Modules").path,
      "-Xcc", "-fmodule-map-file=\(products.appendingPathComponent(moduleMap).path)", file.path,
    ]
    let ended = try await EndedProcess.run(URL(fileURLWithPath: "/usr/bin/env"), arguments, mergesErrors: true)
    return String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      $0.contains("Program.swift:") && ($0.contains(": error: ") || $0.contains(": warning: "))
    }
  }
}
