#if os(Linux)
  @testable import WebServicesTestSupport

  /// The folder of the modules, next to the executable of the tests.
  private let modules: String? = {
    guard let program = CommandLine.arguments.first else { return nil }
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent("Modules")
    let module = folder.appendingPathComponent("WebServices.swiftmodule")
    return FileManager.default.fileExists(atPath: module.path) ? folder.path : nil
  }()

  /// Requests that must not compile. The compiler checks them with the modules that the tests were built with.
  @Suite("Properties that don't compile", .enabled(if: modules != nil))
  struct RefusedPropertiesTests {
    /// A property and the error of the compiler.
    private static let refused = [
      (#"var method: String { "POST" }"#, "`method` must be an HTTPMethod, such as .post"),
      ("let method: HTTPMethod? = .post", "`method` must be an HTTPMethod, such as .post"),
      ("let headers = [\"A\": 1]", "`headers` must be HTTPHeaders or [String: String]"),
      ("let queryItems = [\"a\": 1]", "`queryItems` must be [URLQueryItem] or [String: String]"),
      ("let query = NotEncodable()", "`query` must be Encodable, Sendable and nonisolated"),
      ("var body: [String: Any] { [:] }", "`body` must be a RequestBody, or Encodable, Sendable and nonisolated"),
      ("let body = NotEncodable()", "`body` must be a RequestBody, or Encodable, Sendable and nonisolated"),
      ("let body = Data()", "write `body` as .data(…, contentType:), or as .json(…)"),
      (#"let body = "text""#, "write `body` as .text(…), or as .json(…)"),
      ("let authorization = true", "`authorization` must be a WebServiceAuthorizationType, such as .bearer"),
      ("var headers: Any { 1 }", "`headers` must be HTTPHeaders or [String: String]"),
      ("var query: any Encodable { 1 }", "`query` must be Encodable, Sendable and nonisolated"),
      ("let options = 5", "`options` must be RequestOptions"),
    ]

    @Test func propertyOfAWrongTypeDoesNotCompile() async throws {
      let structs = Self.refused.enumerated().map { index, sample in
        "struct Request\(index): WebServiceRequestData { let path = \"a\"; \(sample.0) }"
      }
      let source = ["import Foundation", "import WebServices", "struct NotEncodable: Sendable {}"] + structs
      let diagnostics = try await Self.diagnostics(of: source.joined(separator: "\n"))
      let lines = diagnostics.split(separator: "\n").filter { $0.contains("error: unavailable") }
      for (index, sample) in Self.refused.enumerated() {
        let place = ":\(index + 4):"
        #expect(
          lines.contains { $0.contains(place) && $0.hasSuffix(sample.1) }, "\(sample.0) wasn't refused: \(diagnostics)")
      }
    }

    /// The default of another type than the request's own property would be read in its place.
    @Test func genericCodeReadsNoDefault() async throws {
      let source = """
        import WebServices
        func method(of data: some WebServiceRequestData) -> HTTPMethod { data.method }
        """
      #expect(try await Self.diagnostics(of: source).contains("error: cannot convert"))
    }

    @Test func propertyOfARightTypeCompiles() async throws {
      let source = """
        import Foundation
        import WebServices
        struct Right: WebServiceRequestData { let path = "a"; let headers = ["A": "b"]; let body = ["c": 1] }
        """
      expectEqual(try await Self.diagnostics(of: source), "")
    }

    /// The errors and warnings of a file.
    private static func diagnostics(of source: String) async throws -> String {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("a.swift")
      try Data(source.utf8).write(to: file)
      let arguments = [
        "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules ?? "",
        // The module map of the C code.
        "-Xcc", "-fmodule-map-file=\(modules ?? "")/../CurlShim.build/module.modulemap", file.path,
      ]
      let ended = try await EndedProcess.run(URL(fileURLWithPath: "/usr/bin/env"), arguments, mergesErrors: true)
      return String(decoding: ended.output, as: UTF8.self)
    }
  }
#endif
