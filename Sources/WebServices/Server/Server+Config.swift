public import Foundation

extension Server {
  /// The settings that all requests of a server have in common.
  public struct Config: Sendable {
    /// Changes a value that the library has made.
    public typealias Configure<Value> = @Sendable (inout Value) -> Void

    /// Where paths are appended. Its own path is kept. When there is none, requests without a base of their own end with
    /// an error of kind `.badURL`.
    public var base: URL?
    /// Header fields for every request. A request's own field of the same name replaces the configuration's.
    public var headers: [String: String]
    /// Sent with every request; a request's own item of the same name replaces it.
    public var query: [String: String]
    /// How long to wait for the whole response, in seconds and to the millisecond.
    public var timeout: TimeInterval
    /// Adjusts the encoder of JSON bodies; called once for a configuration, when a server takes it.
    public var encoder: Configure<JSONEncoder>?
    /// Adjusts the decoder of JSON responses; called once for a configuration, when a server takes it.
    public var decoder: Configure<JSONDecoder>?
    /// Adjusts each request before it is sent, on the thread that asks for it; not those of `raw(with:)`.
    public var request: Configure<OutgoingRequest>?
    /// Look at each response; the first that refuses decides. The responses of `raw(with:)` aren't looked at.
    public var check: [ResponseValidator]
    /// Makes the app's own error of an error, for requests without a catcher of their own; `nil` leaves it as it is. It
    /// isn't asked about requests that were cancelled.
    public var catcher: (@Sendable (WebServiceError) -> any Error)?
    /// Adjusts everything else that a service can be told: retries, limits, cache, monitors; called once for a
    /// configuration, when a server takes it.
    public var service: Configure<WebServiceConfiguration>?
    /// What is hidden wherever the library describes a request or a response in words.
    public var redaction: Redaction
    /// How the library's own session connects: TLS, proxy, limits. See `WebServiceConfiguration.transport`.
    public var transport: TransportConfiguration
    /// Makes the session; called once for a configuration, when a server takes it. `nil` means the library's own, which
    /// `transport` configures.
    ///
    /// On Apple's systems an app that answers challenges itself gives `URLSession.answering(configuration:_:)` here.
    public var session: (@Sendable () -> any URLSessionProtocol)?
    /// Tells whether there is a network.
    public var reachability: any ReachabilityCheckable
    /// The clock that measures timeouts.
    public var clock: any WebServiceClock

    /// Creates a configuration; every value but the base has a default.
    public init(
      base: URL?, headers: [String: String] = [:], query: [String: String] = [:], timeout: TimeInterval = 60,
      encoder: Configure<JSONEncoder>? = nil, decoder: Configure<JSONDecoder>? = nil,
      request: Configure<OutgoingRequest>? = nil, check: [ResponseValidator] = [.problemDetails, .successfulStatus],
      catch catcher: (@Sendable (WebServiceError) -> any Error)? = nil,
      service: Configure<WebServiceConfiguration>? = nil, redaction: Redaction = .standard,
      transport: TransportConfiguration = TransportConfiguration(),
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
      self.redaction = redaction
      self.transport = transport
      self.session = session
      self.reachability = reachability
      self.clock = clock
    }
  }
}

extension Server.Config: DescriptionOnly {
  /// The base and the names of what is sent with every request, without a value: those are the user's.
  public var description: String {
    let base = base.map { URLForm.foundation($0).parsed?.origin.text ?? "a base of another scheme" } ?? "no base"
    let names = headers.keys.sorted() + query.keys.sorted()
    return names.isEmpty ? base : "\(base), with \(names.joined(separator: ", "))"
  }
}

extension Server.Config {
  /// The configuration of the engine. Everything that `raw(with:)` goes without is added to each request instead.
  var engineConfiguration: WebServiceConfiguration {
    var encoder = JSONEncoder()
    var decoder = JSONDecoder()
    self.encoder?(&encoder)
    self.decoder?(&decoder)
    var configuration = WebServiceConfiguration(
      timeout: timeout, encoder: encoder, decoder: decoder, validators: [], transport: transport, redaction: redaction,
      clock: clock)
    service?(&configuration)
    return configuration
  }
}
