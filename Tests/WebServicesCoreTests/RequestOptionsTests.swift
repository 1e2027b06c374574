@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RequestOptionsTests {
  private func sentQuery(_ configure: (inout WebServiceConfiguration) -> Void) async throws -> String? {
    let harness = VirtualHarness.scripted(.status(200), configure: configure)
    let search = Request("https://api.example.com/cities", query: ["tags": ["a b", "c+d"]])
    _ = try await harness.service.sendRequest(search, parser: .nothing)
    return harness.session.requests.first?.url?.query
  }

  @Test func queryEncodingFollowsConfiguration() async throws {
    expectEqual(try await sentQuery { $0.queryEncoder.arrays = .brackets }, "tags%5B%5D=a%20b&tags%5B%5D=c%2Bd")
    expectEqual(try await sentQuery { $0.queryEscaping = .form }, "tags=a+b&tags=c%2Bd")
  }

  private enum AttemptsKey: RequestOptions.Key {
    static var defaultValue: Int { 3 }
  }

  @Test func unsetOptionHasDefaultValueOfItsKey() {
    var options = RequestOptions()
    expectEqual(options[AttemptsKey.self], 3)
    expectEqual(options.timeout, nil)
    options[AttemptsKey.self] = 5
    expectEqual(options[AttemptsKey.self], 5)
    expectEqual(options.timeout, nil)
  }

  @Test func copiesOfOptionsAreIndependent() {
    let first = RequestOptions {
      $0.timeout = 1
      $0.deadline = 2
    }
    var second = first
    second.timeout = nil
    second.priority = .high
    #expect(first.timeout == 1 && first.deadline == 2 && first.priority == nil)
    #expect(second.timeout == nil && second.deadline == 2 && second.priority == .high)
  }

  @Test func optionsAreAsSmallAsAPointer() {
    expectEqual(MemoryLayout<RequestOptions>.size, MemoryLayout<Int>.size)
  }
}
