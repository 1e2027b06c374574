@testable import WebServicesTestSupport

/// Compares described requests with those that a server receives.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct DescribedRequestsTests {
  private struct Search: WebServiceRequestData {
    let path = "p?x=%20y"
    var queryItems: [URLQueryItem]
    var query: [String: [String: [String]]]
  }

  private static let awkward = [
    "a+b", "a&b=c", "a;b", "a b", "ü漢😀", "%41%", "#?/\\", "\"<>[]{}|^`", "\r\n\0\t", "+%2B",
  ]

  @Test(arguments: TransportKind.own)
  func queryItemsReachTheServerUnchanged(kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.queryItems = [URLQueryItem(name: "c", value: "0")] }
    harness.server.route(nil, "/*", .json("1"))
    for text in Self.awkward {
      let request = Search(queryItems: [URLQueryItem(name: text, value: text)], query: [text: ["n": [text]]])
      expectEqual(try await harness.service.sendRequest(request, as: Int.self), 1)
      expectEqual(
        harness.server.requests.last?.queryItems,
        [
          URLQueryItem(name: "x", value: " y"), URLQueryItem(name: "c", value: "0"),
          URLQueryItem(name: text, value: text), URLQueryItem(name: "\(text)[n]", value: text),
        ])
    }
  }
}
