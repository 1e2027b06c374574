public import Foundation
public import WebServices

/// A small HTTP/1.1 server in the test's own process.
///
/// This is test equipment: it listens on the loopback interface alone, refuses what is no request with 400, and can
/// be told to misbehave in every way that a client must survive (see `Step`). It isn't meant to serve anything else.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.route(.get, "/jokes/:id") { request in .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#) }
/// server.route(.post, "/signin", .text("ok", status: 201))
/// … // requests to server.url("/jokes/1")
/// server.stop()
/// ```
///
/// One thread of its own, named `LoopbackServer`, serves all connections; handlers run on a concurrent queue. A
/// client that ends its sending direction is taken to have gone.
public final class LoopbackServer: Sendable {
  /// Where the server listens.
  public let address: Address
  /// The port; 0 for a Unix socket.
  public let port: UInt16
  /// `http://127.0.0.1:port`, `http://[::1]:port`, or `http://localhost` for a Unix socket.
  public let baseURL: URL

  let core: ServerCore
  private let thread: Locked<SystemThread?>

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - address: where to listen.
  ///   - port: the port, or 0 for one of the system's choice.
  ///   - limits: what a request may measure, and how many are kept.
  /// - Throws: `StartError` where the system refuses, for example because the port is taken.
  public init(_ address: Address = .ipv4, port: UInt16 = 0, limits: Limits = Limits()) throws(StartError) {
    do {
      let socket = try Self.listen(at: address, port: port)
      guard let url = URL(string: address.baseURL(port: socket.port)) else {
        System.closeDescriptor(socket.descriptor)
        throw SystemError("URL", code: EINVAL)
      }
      do {
        let core = ServerCore(mailbox: try Mailbox(), limits: limits)
        let thread = try SystemThread(named: "LoopbackServer") {
          EventLoop(core: core, listener: socket.descriptor).run()
        }
        self.core = core
        self.thread = Locked(thread)
      } catch {
        System.closeDescriptor(socket.descriptor)
        throw error
      }
      self.address = address
      self.port = socket.port
      baseURL = url
    } catch {
      throw StartError(description: "LoopbackServer can't listen at \(address): \(error)")
    }
  }

  deinit {
    stop()
  }

  /// Closes every connection and ends the server. When it returns, no thread and no descriptor is left; a handler
  /// that still runs is let run, and its answer goes nowhere. Stopping twice is harmless.
  public func stop() {
    core.mailbox.post(.stop)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    core.router.withLock { $0.removeAll() }
    if case .unixSocket(let path) = address { System.removeFile(path) }
  }

  /// The URL of a path, which may have a query.
  public func url(_ path: String) -> URL {
    URL(string: baseURL.absoluteString + path) ?? baseURL.appendingPathComponent(path)
  }

  private static func listen(at address: Address, port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    switch address {
    case .ipv4: try System.listen(onIPv6: false, port: port)
    case .ipv6: try System.listen(onIPv6: true, port: port)
    case .unixSocket(let path): (try System.listen(atPath: path), 0)
    }
  }
}

// MARK: - Routes

extension LoopbackServer {
  /// What a script does when its answers are used up.
  public enum ScriptEnd: Sendable {
    /// Answers 500 and says why: a request too many can't pass unnoticed.
    case fail
    /// Gives the last answer again and again.
    case repeatLast
  }

  /// Answers every request of the method and path in the same way.
  ///
  /// A segment `:name` of the path stands for any one segment, a last segment `*` for any tail; `nil` stands for any
  /// method. Where several routes fit, the last one that was added answers. HEAD is answered by the route of GET
  /// where it has none. A request that fits no route gets 404.
  public func route(_ method: HTTPMethod?, _ path: String, _ answer: Answer) {
    core.router.withLock { $0.add(method, path, .answer(answer)) }
  }

  /// Answers the requests of the method and path with what the handler returns. It may be called by several threads
  /// at once.
  public func route(
    _ method: HTTPMethod?, _ path: String, _ handler: @escaping @Sendable (Request) -> Answer
  ) {
    route(method, path) { request, responder in responder.send(handler(request)) }
  }

  /// Hands the requests of the method and path to the handler with a responder, which answers now or later from any
  /// thread. It may be called by several threads at once.
  public func route(
    _ method: HTTPMethod?, _ path: String, _ handler: @escaping @Sendable (Request, Responder) -> Void
  ) {
    core.router.withLock { $0.add(method, path, .handler(handler)) }
  }

  /// Answers the first request of the method and path with the first answer, the second with the second, and so on.
  public func script(
    _ method: HTTPMethod?, _ path: String, _ answers: [Answer], whenUsedUp end: ScriptEnd = .fail
  ) {
    core.router.withLock { $0.add(method, path, .script(Router.Script(answers: answers, end: end))) }
  }
}
