import Foundation
import WebServicesCore

/// Selects the response of a ``LoopbackServer`` to a request. `add` a route, then `resolve` a request. The lock of
/// `ServerCore.router` guards the router.
struct Router {
  typealias Handler = @Sendable (LoopbackServer.Request, LoopbackServer.Responder) -> Void

  /// The reaction of a route: a response to send, or a handler to call.
  enum Action: Sendable {
    case response(LoopbackServer.Response)
    case handler(Handler)
  }

  private struct Route {
    let method: HTTPMethod?
    let pattern: PathPattern
    /// Chooses the action for the next request.
    let action: @Sendable () -> Action
  }

  private var routes: [Route] = []

  /// Adds a route in front of the existing ones.
  mutating func add(_ method: HTTPMethod?, _ pattern: String, _ action: @escaping @Sendable () -> Action) {
    routes.insert(Route(method: method, pattern: PathPattern(pattern), action: action), at: 0)
  }

  /// Adds the path parameters to a request that is recorded before its route is resolved.
  func noteParameters(in request: inout LoopbackServer.Request) {
    if let match = match(request) { request.parameters = match.parameters }
  }

  /// Finds the route and adds the path parameters to the request. HEAD falls back to the route of GET.
  func resolve(_ request: inout LoopbackServer.Request) -> Action {
    guard let match = match(request) else {
      return .response(.text("There is no route for \(request.method) \(request.path).", status: 404))
    }
    request.parameters = match.parameters
    return match.route.action()
  }

  /// The first route that matches the request, and the values of the route's path parameters.
  private func match(_ request: LoopbackServer.Request) -> (route: Route, parameters: [String: String])? {
    let segments = PathPattern.parts(of: request.path)
    // All routes for HEAD come before those for GET, however late a route for GET was added.
    let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
    for method in methods {
      for route in routes where route.method == nil || route.method == method {
        if let parameters = route.pattern.match(segments) { return (route, parameters) }
      }
    }
    return nil
  }
}

/// A path pattern: `:name` matches any single segment, and a final `*` matches any tail.
struct PathPattern {
  private let segments: [String]

  init(_ pattern: String) { segments = Self.parts(of: pattern) }

  /// The parts between the slashes, without percent encoding.
  static func parts(of path: String) -> [String] {
    let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.utf8.contains(UInt8(ascii: "%")) ? $0.removingPercentEncoding ?? String($0) : String($0) }
  }

  /// The values of the named segments, and the tail under `*`; `nil` if the path doesn't match.
  func match(_ path: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      if segment == "*", index == segments.count - 1 {
        parameters["*"] = path.dropFirst(index).joined(separator: "/")
        return parameters
      }
      guard index < path.count else { return nil }
      if segment.hasPrefix(":"), !path[index].isEmpty {
        parameters[String(segment.dropFirst())] = path[index]
      } else if segment != path[index] {
        return nil
      }
    }
    return path.count == segments.count ? parameters : nil
  }
}
