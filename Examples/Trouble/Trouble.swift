import Foundation
import WebServices
import WebServicesTesting

// `scripts/picture` draws what this program prints.
struct Order: Decodable, Sendable {
  var id: Int
  var total: Double
}

// A session that responds as scripted, in place of a server with two faults.
let session = MockURLSession()
session.script(.get, "/v1/orders/7", .json(#"{"id": 7, "total": "12,50", "card": "4111"}"#))
session.script(.get, "/v1/orders/8", .json(#"{"error": "no such order", "session_token": "s3cret"}"#, status: 404))

var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))
configuration.headers["Authorization"] = "Bearer s3cret"
let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)

for id in 7...8 {
  do {
    let order = try await service.sendRequest(Request("orders/\(id)"), as: Order.self)
    print(order.total)
  } catch {
    print("For the user:", error.friendlyDescription)
    print("For you:     ", error)
  }
}

// Prints: For the user: This doesn't exist (any more).
