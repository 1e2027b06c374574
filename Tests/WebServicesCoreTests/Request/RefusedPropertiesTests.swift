#if os(Linux)
  @testable import WebServicesTestSupport

  /// Requests that must not compile. The compiler checks them with the modules that the tests were built with.
  @Suite("Properties that don't compile", .disabled(if: Compiler.isMissing))
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

    @Test func onlyPropertiesOfTheRightTypesCompile() async throws {
      let structs = Self.refused.enumerated().map { index, sample in
        "struct Request\(index): WebServiceRequestData { let path = \"a\"; \(sample.0) }"
      }
      let others = [
        "import Foundation", "import WebServices",
        #"struct Right: WebServiceRequestData { let path = "a"; let headers = ["A": "b"]; let body = ["c": 1] }"#,
        // The default of another type than the request's own property would be read in its place.
        "func method(of data: some WebServiceRequestData) -> HTTPMethod { data.method }",
        "struct NotEncodable: Sendable {}",
      ]
      let diagnostics = try await Compiler.diagnostics(of: (others + structs).joined(separator: "\n"))
      func lines(_ number: Int) -> [String] { diagnostics.filter { $0.contains("Program.swift:\(number):") } }
      expectEqual(lines(3), [])
      #expect(lines(4).contains { $0.contains("error: cannot convert") })
      for (index, sample) in Self.refused.enumerated() {
        let isRefused = lines(index + 6).contains { $0.contains("error: unavailable") && $0.hasSuffix(sample.1) }
        #expect(isRefused, "\(sample.0) wasn't refused: \(diagnostics)")
      }
    }
  }
#endif
