import Foundation
import WebServices
import WebServicesTesting

extension DemoBackend {
  /// Lottery results as an old service sends them: some ids are numbers, and members without a value are missing.
  static let lotoResults = #"""
    [{"draw": {"id": 1041, "name": "Saturday"}, "drawingDate": "2024-05-04T18:00:00Z", "numbers": [3, 14, 15, 26, 35, 41],
      "extraNumber": 9, "prizes": [{"id": 1, "winners": 2}, {"id": "1b", "winners": 31}]},
     {"draw": {"id": "1042-W", "name": "Wednesday"}, "drawingDate": "2024-05-08T18:00:00Z", "numbers": [2, 7, 18, 28, 31]}]
    """#

  static func loginResponse(for username: String) -> JSONValue {
    ["userId": 4711, "name": .string(username)]
  }

  func addMenuRoutes() {
    route(.post, "/menu/login") { _, request in Self.logIn(request) }
    route(.get, "/menu/results") { _, request in
      guard request.query("user") == "4711" else { return Self.menuError(404, 18, "There is no such user.") }
      return Reply(status: 200, response: .json(Self.lotoResults))
    }
  }

  private static func logIn(_ request: LoopbackServer.Request) -> Reply {
    // A form encodes a space as `+`, but `URLComponents` doesn't decode `+`.
    let form = URLComponents(string: "?" + request.text.replacingOccurrences(of: "+", with: "%20"))
    let items = form?.queryItems ?? []
    guard let username = items.first(where: { $0.name == "username" })?.value, !username.isEmpty,
      items.first(where: { $0.name == "password" })?.value == DemoAccount.password
    else { return menuError(401, 17, "The user or the password is wrong.") }
    return success(loginResponse(for: username))
  }

  private static func menuError(_ status: Int, _ code: Int64, _ message: String) -> Reply {
    let body: JSONValue = ["code": .integer(code), "message": .string(message)]
    return Reply(status: status, response: .json((try? JSONText.of(body)) ?? "{}", status: status))
  }
}
