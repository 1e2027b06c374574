import Foundation
import Testing
@testable import WebServicesHTTP
@testable import WebServicesTransport

/// The request that a `URLSession` gets on each system.
struct FoundationRequestPlanTests {
  private let settings = FoundationSettings(.webServices)

  private func plan(_ request: TransportRequest, _ foundation: FoundationKind) throws -> FoundationRequestPlan {
    try FoundationRequestPlan(request, settings: settings, for: foundation)
  }

  @Test func applesFoundationKeepsConnectionsAndCompression() throws {
    var request = TransportRequest(
      method: .put, url: try #require(URL(string: "https://[::1]/a")), headers: ["Expect": "100-continue"],
      body: .data(Data("a".utf8)))
    let plan = try plan(request, .apple)
    #expect(plan.ownHost == nil)
    // The system adds its own `Accept-Language`, `User-Agent` and `Accept-Encoding` to these.
    #expect(
      plan.request.allHTTPHeaderFields == ["Expect": "100-continue", "Content-Type": "application/octet-stream"])
    request.headers["Range"] = "bytes=1-"
    #expect(try self.plan(request, .apple).request.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
    request.needsNewConnection = true
    #expect(try self.plan(request, .apple).ownHost == "https://[::1]")
  }

  @Test func linuxGetsItsOwnConnectionAndBlankFields() throws {
    let url = try #require(URL(string: "https://h.example/a"))
    let plan = try plan(TransportRequest(url: url, headers: ["Expect": "100-continue"]), .openSource)
    #expect(plan.ownHost == "https://h.example")
    #expect(plan.request.value(forHTTPHeaderField: "Expect") == nil)
    #expect(plan.request.value(forHTTPHeaderField: "Accept-Language") == " ")
    let address = TransportRequest(url: try #require(URL(string: "https://[::1]/a")))
    #expect(throws: TransportError.self) { try self.plan(address, .openSource) }
  }
}
