import Foundation
import WebServices

/// Logs in and then shows the results of the user's lottery draws. Each request has a completion handler.
@MainActor
enum MenuCommand {
  /// The user and the results.
  private struct Content: Encodable {
    let user: LoginResponse
    let results: [LotoResult]

    var lines: [String] {
      ["Logged in as \(Wording.oneLine(user.name)) (id \(Wording.oneLine(user.userId.description)))."]
        + (results.isEmpty ? ["There are no results."] : results.map(Self.line))
    }

    /// A missing member isn't replaced by a default value.
    private static func line(_ result: LotoResult) -> String {
      let day = result.drawingDate.ISO8601Format().prefix(10)
      let numbers = result.numbers.map(String.init).joined(separator: " ")
      let extra = result.extraNumber.map { " + \($0)" } ?? ""
      let prizes = result.prizes.map { Wording.count($0.count, "prize") } ?? "prizes not known yet"
      return "\(day)  \(Wording.oneLine(result.draw.name)): \(numbers)\(extra), \(prizes)"
    }
  }

  static func run(_ context: CommandContext) async throws {
    let (service, credentials) = (MenuService(service: JsonWebService.shared), context.credentials)
    let login = try await step("logging in", context) {
      service.login(with: credentials.user, password: credentials.password, completionHandler: $0)
    }
    let results = try await step("fetching results", context) {
      service.results(of: login.userId.description, completionHandler: $0)
    }
    let content = Content(user: login, results: results)
    try context.show(content, content.lines)
  }

  /// Waits for the completion handler of a request. Its error is told in the server's own words, if the server sent
  /// any.
  private static func step<Value: Sendable>(
    _ name: String, _ context: CommandContext,
    _ send: (@escaping @MainActor (Result<Value, WebServiceError>) -> Void) -> WebServiceTask
  ) async throws -> Value {
    context.begin(name)
    defer { context.end() }
    let result = await withCheckedContinuation { continuation in
      _ = send { continuation.resume(returning: $0) }
    }
    return try result.mapError { error in
      context.failure(name, error, words: error.underlying(as: MenuError.self)?.words)
    }.get()
  }
}

extension DemoBackend {
  /// Lottery results as an old service sends them: some ids are numbers, and members without a value are missing.
  static let lotoResults = #"""
    [{"draw": {"id": 1041, "name": "Saturday"}, "drawingDate": "2024-05-04T18:00:00Z", "numbers": [3, 14, 15, 26, 35, 41],
      "extraNumber": 9, "prizes": [{"id": 1, "winners": 2}, {"id": "1b", "winners": 31}]},
     {"draw": {"id": "1042-W", "name": "Wednesday"}, "drawingDate": "2024-05-08T18:00:00Z", "numbers": [2, 7, 18, 28, 31]}]
    """#

  func addMenuRoutes() {
    route(.post, "/menu/login") { _, request in
      // A form encodes a space as `+`, but `URLComponents` doesn't decode `+`.
      let form = URLComponents(string: "?" + request.text.replacingOccurrences(of: "+", with: "%20"))?.queryItems ?? []
      guard let username = form.first(where: { $0.name == "username" })?.value, !username.isEmpty,
        form.first(where: { $0.name == "password" })?.value == DemoAccount.password
      else { return Self.menuError(401, 17, "The user or the password is wrong.") }
      return Self.success(["userId": 4711, "name": .string(username)] as JSONValue)
    }
    route(.get, "/menu/results") { _, request in
      guard request.query("user") == "4711" else { return Self.menuError(404, 18, "There is no such user.") }
      return .json(Self.lotoResults)
    }
  }

  private static func menuError(_ status: Int, _ code: Int64, _ message: String) -> Response {
    let body: JSONValue = ["code": .integer(code), "message": .string(message)]
    return .json((try? JSONText.of(body)) ?? "{}", status: status)
  }
}
