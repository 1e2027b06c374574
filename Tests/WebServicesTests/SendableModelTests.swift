@testable import WebServicesTestSupport

/// Compiles calls with a model that isn't `Sendable`, such as a public struct that doesn't say so.
@Suite("Models that aren't Sendable", .disabled(if: Compiler.isMissing))
struct SendableModelTests {
  private static let calls = [
    "service.sendRequest(request) { (result: WebServiceResult<City>) in }",
    "service.sendRequest(request, callbackQueue: queue) { (result: WebServiceResult<City>) in }",
    "_ = ResponseParser.json(City.self)",
    "_ = RequestBody.json(city)",
    "_ = RequestBody.form(city)",
    "_ = Server.Take.json(City.self)",
  ]

  private static let program =
    [
      "import Foundation", "import WebServices", "public struct City: Codable { public var name: String }",
      "let (request, queue) = (Request(\"cities\"), DispatchQueue.global())",
    ]
    + calls.enumerated().map { index, call in
      "func call\(index)(_ service: any JsonWebServiceable, _ city: City) { \(call) }"
    }

  @Test func theErrorNamesTheModel() async throws {
    let diagnostics = try await Compiler.diagnostics(of: Self.program.joined(separator: "\n"))
    for (index, call) in Self.calls.enumerated() {
      let errors = diagnostics.filter { $0.contains("Program.swift:\(index + 5):") && $0.contains(" error: ") }
      let isNamed = errors.allSatisfy { $0.contains("type 'City' does not conform to the 'Sendable' protocol") }
      #expect(!errors.isEmpty && isNamed, "\(call): \(errors)")
    }
  }

  @Test func theModelIsTakenInSwift5() async throws {
    let diagnostics = try await Compiler.diagnostics(of: Self.program.joined(separator: "\n"), mode: 5)
    expectEqual(diagnostics, [])
  }
}
