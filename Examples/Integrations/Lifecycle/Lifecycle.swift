import ServiceLifecycle
import WebServices
import WebServicesTesting

// sample: lifecycle
/// Ends a service in good order: the requests under way may end, then the others are cancelled.
struct WebServiceEnd: Service {
  let web: JsonWebService
  /// How long the requests under way may take, in seconds.
  var patience: Double = 10

  func run() async throws {
    try await gracefulShutdown()
    await web.shutDown(within: patience)
  }
}
// end of sample

/// Asks for one joke after the other until the process is asked to end.
struct JokeTeller: Service {
  let web: JsonWebService
  let hasBegun: @Sendable () -> Void

  func run() async throws {
    while !Task.isShuttingDownGracefully {
      async let joke = web.sendRequest(Request("jokes/7"), parser: .text)
      hasBegun()
      print(try await joke)
    }
  }
}

let server = try LoopbackServer()
server.route(.get, "/jokes/7", .text("A horse walks into a bar.").beforeHead(.delay(0.5)))
let web = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
let teller = JokeTeller(web: web) { continuation.yield() }

// sample: lifecycleGroup
// The services end in the reverse order: first those that send, then the service that they send with.
let group = ServiceGroup(services: [WebServiceEnd(web: web), teller], logger: .init(label: "jokes"))
// end of sample
async let ended: Void = group.run()
for await _ in begun.prefix(1) { await group.triggerGracefulShutdown() }
try await ended
print("\(server.requests.count) request was sent, and \(web.requestCount) are left.")

// Prints: A horse walks into a bar.
// Prints: 1 request was sent, and 0 are left.
