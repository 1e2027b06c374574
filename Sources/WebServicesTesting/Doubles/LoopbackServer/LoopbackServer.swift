public import Foundation
public import WebServicesCore

/// A small HTTP/1.1 server in the test's process.
///
/// The server is for tests only. It listens on the loopback interface, rejects invalid requests (see ``refusals``), and
/// can misbehave in every way that a client must handle. See ``Step``.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.route(.get, "/jokes/:id") { request in .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#) }
/// server.route(.post, "/signin", .text("ok", status: 201))
/// … // requests to server.url("/jokes/1")
/// server.stop()
/// ```
///
/// One thread named `LoopbackServer` serves all connections. Handlers run on other queues. The server closes a
/// connection whose client has closed its sending direction.
public final class LoopbackServer: Sendable {
  /// The address that the server listens on.
  public let address: Address
  /// The port; 0 for a Unix socket.
  public let port: UInt16
  /// `http://127.0.0.1:port`, `http://[::1]:port`, or `http://localhost` for a Unix socket.
  public let baseURL: URL

  let core: ServerCore
  private static let threadName = "LoopbackServer"
  /// Entered until the thread has closed every descriptor.
  private let isRunning = DispatchGroup()

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - address: the address to listen on.
  ///   - port: the port; 0 lets the system choose a free port.
  ///   - limits: the limits for requests.
  /// - Throws: ``StartError`` if the system refuses, for example because the port is in use.
  public init(_ address: Address = .ipv4, port: UInt16 = 0, limits: Limits = Limits()) throws(StartError) {
    do {
      let core = ServerCore(mailbox: try Mailbox(), limits: limits)
      let socket = try System.listen(at: address, port: port)
      let isRunning = isRunning
      isRunning.enter()
      Thread.detachNewThread {
        Thread.current.name = LoopbackServer.threadName
        EventLoop(core: core, listener: socket.descriptor).run()
        // Before any `stop()` returns: the path may then belong to another server.
        if case .unixSocket(let path) = address { System.removeFile(path) }
        isRunning.leave()
      }
      self.core = core
      self.address = address
      self.port = socket.port
      baseURL = URL(string: address.baseURL(port: socket.port)) ?? URL(fileURLWithPath: "/")
    } catch {
      throw StartError(description: "LoopbackServer can't listen at \(address), port \(port): \(error)")
    }
  }

  deinit {
    stop()
  }

  /// Closes every connection and stops the server. Its descriptors are closed when this returns. A running handler
  /// continues, but its response is dropped. Later calls do nothing.
  public func stop() {
    core.mailbox.post(.stop)
    // A thread that releases the last reference to a server, as its own may do, can't wait for itself.
    if Thread.current.name != Self.threadName { isRunning.wait() }
    // A handler may retain the server or the test's objects, which are released here, outside the lock.
    var former = Router()
    core.router.withLock { swap(&$0, &former) }
  }

  /// The URL of a path.
  ///
  /// - Parameter path: begins with a slash and may have a query. Percent-encode it yourself.
  public func url(_ path: String) -> URL {
    URL(string: baseURL.absoluteString + path) ?? baseURL.appendingPathComponent(path)
  }
}

// MARK: - Routes

extension LoopbackServer {
  /// Responds to every request of the method and path with the same response. If several routes match, the latest one
  /// responds. A HEAD request uses the GET route if there is none for HEAD. A request without a route gets 404.
  ///
  /// - Parameters:
  ///   - method: the method of the requests; `nil` matches every method.
  ///   - path: the path of the requests, without a query. A segment `:name` matches any single segment, and a final `*`
  ///     matches any tail.
  ///   - response: the response to every such request.
  public func route(_ method: HTTPMethod?, _ path: String, _ response: Response) {
    core.router.withLock { $0.add(method, path) { .response(response) } }
  }

  /// Responds to the requests of the method and path with the handler's result.
  ///
  /// - Parameters:
  ///   - method: the method of the requests; `nil` matches every method.
  ///   - path: the path of the requests, without a query. A segment `:name` matches any single segment, and a final `*`
  ///     matches any tail.
  ///   - handler: makes the response. Several threads may call it at the same time, and it may block. The server
  ///     retains it until ``stop()``.
  public func route(
    _ method: HTTPMethod?, _ path: String, _ handler: @escaping @Sendable (Request) -> Response
  ) {
    route(method, path) { request, responder in responder.send(handler(request)) }
  }

  /// Passes the requests of the method and path to the handler with a ``Responder``, which responds later from any
  /// thread.
  ///
  /// - Parameters:
  ///   - method: the method of the requests; `nil` matches every method.
  ///   - path: the path of the requests, without a query. A segment `:name` matches any single segment, and a final `*`
  ///     matches any tail.
  ///   - handler: responds, or passes the responder on. Several threads may call it at the same time. The server
  ///     retains it until ``stop()``.
  public func route(
    _ method: HTTPMethod?, _ path: String, _ handler: @escaping @Sendable (Request, Responder) -> Void
  ) {
    core.router.withLock { $0.add(method, path) { .handler(handler) } }
  }

  /// Responds to the first request of the method and path with the first response, to the second with the second, and
  /// so on. A request after the last response gets status 500 and the reason, unless responses repeat.
  ///
  /// - Parameters:
  ///   - method: the method of the requests; `nil` matches every method.
  ///   - path: the path of the requests, without a query. A segment `:name` matches any single segment, and a final `*`
  ///     matches any tail.
  ///   - responses: the responses in their order. Requests of all connections count together.
  ///   - repeatingLast: how many of the last responses repeat, over and over.
  public func script(_ method: HTTPMethod?, _ path: String, _ responses: [Response], repeatingLast: Int = 0) {
    var script = Script<Response>()
    script.add(responses, repeatingLast: repeatingLast)
    let rest = Locked(script)
    core.router.withLock { router in
      router.add(method, path) {
        .response(
          rest.withLock { $0.next() }
            ?? .text("All \(responses.count) scripted responses have been sent.", status: 500))
      }
    }
  }
}
