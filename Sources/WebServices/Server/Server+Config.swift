public import Foundation

extension Server {
  /// The settings that all requests of a server have in common.
  public struct Config: Sendable, DescriptionOnly {
    /// Changes a value that the library has made. The page of each property says where its closure runs.
    public typealias Configure<Value> = @Sendable (inout Value) -> Void

    /// The URL to which paths are appended; the URL's own path is kept. If the base is `nil`, a request without its own
    /// base fails with an error of kind `.badURL`.
    public var base: URL?
    /// Header fields for every request to the origin of ``base``. A request's own field of the same name replaces the
    /// configuration's.
    ///
    /// A request with a base of another origin gets only fields that are known to hold no credentials, such as
    /// `User-Agent`. Without a base here, any other field or query item fails every request.
    public var headers: [String: String]
    /// Query items for every request to the origin of ``base``. A request's own item of the same name replaces the
    /// configuration's. A request with a base of another origin gets none of them.
    public var query: [String: String]
    /// How long to wait for the whole response, in seconds and to the millisecond.
    public var timeout: TimeInterval
    /// Adjusts the encoder of JSON bodies. Called once for a configuration, on the thread that sets it.
    public var encoder: Configure<JSONEncoder>?
    /// Adjusts the decoder of JSON responses. Called once for a configuration, on the thread that sets it.
    public var decoder: Configure<JSONDecoder>?
    /// Adjusts each request before it is sent, in the Swift task that sends it. Not called for the
    /// requests of `raw(with:)`.
    public var request: Configure<OutgoingRequest>?
    /// Validators that check each response. The first validator that refuses decides. The responses of `raw(with:)`
    /// aren't checked.
    public var check: [ResponseValidator]
    /// Maps an error to the app's own error, for requests without their own catcher; `nil` leaves it unchanged. It runs
    /// in the Swift task that waits for the response, and isn't called for cancelled requests.
    public var catcher: (@Sendable (WebServiceError) -> any Error)?
    /// Adjusts all other settings of the service: retries, limits, cache, monitors, redaction and transport. Called
    /// once for a configuration, on the thread that sets it.
    public var service: Configure<WebServiceConfiguration>?
    /// Makes the session. Called once for a configuration, on the thread that sets it. `nil` uses the library's own
    /// session.
    ///
    /// Make a new session each time, because the end of a configuration invalidates its session. Foundation ends the
    /// process if an invalidated `URLSession` is used again.
    ///
    /// On Apple's systems an app that answers challenges itself returns a `URLSession` with its own delegate here.
    public var session: (@Sendable () -> any URLSessionProtocol)?
    /// Tells whether there is a network.
    public var reachability: any ReachabilityCheckable
    /// The clock that measures timeouts.
    public var clock: any WebServiceClock

    /// Creates a configuration. Each parameter sets the property of the same name, and `catch` sets ``catcher``. The
    /// page of each property says where its closure runs.
    public init(
      base: URL?, headers: [String: String] = [:], query: [String: String] = [:], timeout: TimeInterval = 60,
      encoder: Configure<JSONEncoder>? = nil, decoder: Configure<JSONDecoder>? = nil,
      request: Configure<OutgoingRequest>? = nil, check: [ResponseValidator] = [.problemDetails, .successfulStatus],
      catch catcher: (@Sendable (WebServiceError) -> any Error)? = nil,
      service: Configure<WebServiceConfiguration>? = nil,
      session: (@Sendable () -> any URLSessionProtocol)? = nil,
      reachability: any ReachabilityCheckable = NetworkReachability.shared,
      clock: any WebServiceClock = SystemClock.shared
    ) {
      self.base = base
      self.headers = headers
      self.query = query
      self.timeout = timeout
      self.encoder = encoder
      self.decoder = decoder
      self.request = request
      self.check = check
      self.catcher = catcher
      self.service = service
      self.session = session
      self.reachability = reachability
      self.clock = clock
    }

    /// The base URL, and the names of the header fields and query items. The values are omitted, because they belong to
    /// the user.
    public var description: String {
      let base = base.map { URLForm.foundation($0).parsed?.origin.text ?? "a base of another scheme" } ?? "no base"
      let names = headers.keys.sorted() + query.keys.sorted()
      return names.isEmpty ? base : "\(base), with \(names.joined(separator: ", "))"
    }

    /// The configuration of the service that sends the requests. `raw(with:)` uses the same service, so base, headers,
    /// query and checks aren't a part of this configuration. They are added to every other request.
    var engineConfiguration: WebServiceConfiguration {
      var configuration = WebServiceConfiguration(timeout: timeout, clock: clock)
      encoder?(&configuration.encoder)
      decoder?(&configuration.decoder)
      configuration.validators = []
      service?(&configuration)
      return configuration
    }
  }
}
