import WebServices

/// A description of a run: a few traits and a list of steps. Equal plans make equal runs.
package struct Plan: Sendable {
  /// Makes the plan, and chooses the order of simultaneous work.
  package internal(set) var seed: UInt64
  /// Chooses another order for the same plan.
  var schedule: UInt64 = 0
  var switchRate = 0.0
  var stallRate = 0.0
  /// Whether work that has rarely run goes first.
  var prefersRare = false
  /// Whether every server answers well and at once, and nothing else happens.
  var isFaultless = false
  /// The time without a network, in a plan that only reads resources with a cache.
  var offlineReads: Range<Double>?
  var client = ClientPlan()
  var account = AccountPlan()
  var layers = LayersPlan()
  var resources: [ResourcePlan] = []
  var file = FilePlan()
  var steps: [Step] = []

  /// Whether a call has none of the layers that tell requests apart.
  func isWithoutLayers(_ call: Int?) -> Bool { calls.first { $0.number == call }?.form == .server }

  var calls: [CallPlan] { steps.compactMap { if case .call(let call) = $0.action { call } else { nil } } }

  /// The number of the call that is added next.
  var nextCall: Int { calls.count + 1 }

  mutating func add(_ action: Step.Action, at time: Double) { steps.append(Step(time: time, action: action)) }

  func contains(_ isMeant: (Step.Action) -> Bool) -> Bool { steps.contains { isMeant($0.action) } }
}

/// A step, and its time in seconds.
struct Step: Sendable {
  var time: Double
  var action: Action

  enum Action: Sendable {
    case call(CallPlan)
    case cancel(call: Int)
    case signIn(user: Int)
    /// Ends the user's session at a process; `next` signs in directly afterwards.
    case signOut(process: Int, next: Int?)
    /// The server forgets the access tokens of the user, or the whole session.
    case revoke(user: Int, wholeSession: Bool)
    /// Starts a second process that has the storage of the first.
    case openTwin
    /// Replaces the service, as a reset of the shared instance does.
    case swapService
    /// The app removes all responses from the cache of the first process.
    case emptyCache
    case shutDown(within: Double)
    /// The app lets go of the service.
    case releaseService
    case loseNetwork(seconds: Double)
    case fillDisk(seconds: Double)
    /// The process dies in its next change of a file but this many, or else with `restart`.
    case kill(changes: Int)
    /// Starts the process anew, with the files that the killed one has left.
    case restart

    var isOfService: Bool {
      switch self {
      case .openTwin, .swapService, .emptyCache, .shutDown, .releaseService, .fillDisk: true
      default: false
      }
    }

    /// The place where the app takes the step. An app signs one user in or out at a time.
    var lane: String {
      switch self {
      case .signIn, .signOut: "accounts"
      default: "app"
      }
    }
  }
}

/// The settings of the services.
struct ClientPlan: Sendable {
  var attempts = 1
  /// The longest pause before a retry, in seconds.
  var backoff = 0.0
  var timeout = 10.0
  var deadline: Double?
  var waitsForNetwork = false
  /// The seconds until a request has a connection.
  var connectionDelay = 0.0
  /// The app's own service around the service.
  var wrapper: Wrapper?
  /// Whether token and cache are in files.
  var hasDisk = false
  /// Whether no validator refuses a response. Such a plan has downloads only.
  var acceptsAll = false
  /// Whether a monitor gets the events of all requests.
  var isMonitored = false

  enum Wrapper: Sendable { case both, one }
}

/// The layers of the services.
struct LayersPlan: Sendable {
  var hasCookies = false
  var hasCache = false
  var coalesces = false
  var breaker: CircuitBreakerPolicy?
  var limits: RequestLimits?
  /// Whether the app has layers of its own: one that forwards, and one that answers some calls itself.
  var hasOwn = false
  /// Chooses the order of the layers.
  var order = 0

  enum Kind: CaseIterable, Sendable { case cookies, forwarding, cache, coalescing, breaker, limits, answering }

  /// All kinds, in the order of the layers. Cookies come before the layers that tell users apart.
  var kinds: [Kind] {
    var chance = Chance(seed: UInt64(order))
    guard order > 0 else { return Kind.allCases }
    var kinds = Kind.allCases.dropFirst().shuffled(using: &chance)
    kinds.insert(.cookies, at: chance.below((kinds.firstIndex { [.cache, .coalescing].contains($0) } ?? 0) + 1))
    return kinds
  }

  /// Whether a layer sees everything that the cache sends.
  func isBehindCache(_ kind: Kind) -> Bool {
    !hasCache || (kinds.firstIndex(of: kind) ?? 0) > (kinds.firstIndex(of: .cache) ?? 0)
  }
}

/// The file at the path `/f/0`, which several calls download to one place. Each user has another content.
struct FilePlan: Sendable {
  /// How the server answers a request for the rest of a file.
  enum Ranges: Sendable { case exact, none, shorter, shifted, anyVersion, unasked }

  var ranges = Ranges.exact
  /// Whether the server sends parts that weren't requested, which a download refuses.
  var hasOtherParts: Bool { ranges == .shifted || ranges == .unasked }
  /// After how many requests the file changes.
  var life = 100
  /// Whether the transport decompresses whole responses.
  var isCompressed = false
  var script: [CallPlan.Answer] = [.parts(8, gap: 0, breaks: false)]
}

/// A resource at the path `/r/number`, which has another version after each PUT.
struct ResourcePlan: Sendable {
  /// The seconds for which a response is fresh; `nil` if it must not be stored.
  var maxAge: Int?
  var staleWhileRevalidate = 0
  var staleIfError = 0
  var hasTag = false
  /// The resource that a GET is redirected to.
  var redirect: Int?
  /// The answers to the requests for the resource. The last one repeats.
  var script: [CallPlan.Answer] = [.status(200, after: 0)]
}

/// How the token server treats the users.
struct AccountPlan: Sendable {
  enum Answer: Hashable, Sendable {
    case good
    /// The server renews the token, and the response gets lost.
    case lost
    /// The server renews the token, and the response takes longer than any renewal waits.
    case late
    /// The server renews nothing.
    case down
    case silent
    /// The server refuses the client itself.
    case refused
    /// A good response whose scope is an array.
    case scopeArray
    /// A good response whose `id_token` is a number.
    case numberedID
    /// A good response without another refresh token: the former one stays valid.
    case keepsRefreshToken
    /// A response with an empty refresh token: the former one stays valid.
    case emptyRefreshToken

    /// Whether the renewal makes the former refresh token invalid.
    var rotates: Bool {
      switch self {
      case .good, .lost, .late, .scopeArray, .numberedID: true
      case .down, .silent, .refused, .keepsRefreshToken, .emptyRefreshToken: false
      }
    }
  }

  /// The lifetime of a token in seconds.
  var lifetime = 3600
  var leeway = 60.0
  /// Whether the client's own credentials give tokens too.
  var grantsItself = false
  /// The answers to the renewals. After the last one, all are good.
  var answers: [Answer] = []
  var delay = 0.0
}

/// One call of the app, and the servers' answers to its requests.
struct CallPlan: Sendable {
  var number: Int
  /// 0, or 1 for the process that `openTwin` starts.
  var process = 0
  var form = Form.response
  var method = "GET"
  /// The resource that the call is for; `nil` for a path that only this call has.
  var resource: Int?
  var priority = RequestOptions.Priority.normal
  var needsToken = false
  var isAwaited = false
  /// Whether the call downloads the file that several calls download, and keeps what has arrived.
  var keepsFile = false
  /// Whether a layer of the app answers the call.
  var isAnsweredByApp = false
  var hasProgress = false
  /// How a call for a resource uses the cache.
  var cachePolicy: ResponseCache.Policy?
  /// Whether the call shares the transfer of an equal one; `nil` leaves that to the layer.
  var coalesces: Bool?
  /// Whether the body of the call can be sent only once.
  var hasStream = false
  var timeout: Double?
  var deadline: Double?
  /// The answers to the first request, the second, and so on. The last one repeats.
  var script: [Answer] = [.status(200, after: 0)]

  enum Form: Sendable { case response, lines, events, download, server }

  enum Answer: Hashable, Sendable {
    /// Some of the eight parts of the content, with a pause before each. Without the last part, the connection breaks,
    /// or nothing follows.
    case parts(Int, gap: Double, breaks: Bool)
    case status(Int, after: Double, retryAfter: Int? = nil)
    case redirect(Int, toOther: Bool, after: Double)
    case silence
    /// The connection breaks after this time.
    case breaks(after: Double)
    /// A kept connection turns out to be closed.
    case stale
    /// No connection can be made.
    case refusesConnection
    /// A response breaks off. If its head demands a wait, its status is 503.
    case cut(after: Double, retryAfter: Int? = nil)
  }

  func answer(_ index: Int) -> Answer { script[min(index, script.count - 1)] }
}

extension Plan: CustomStringConvertible {
  package var description: String {
    let order = "schedule \(schedule), switches \(switchRate), stalls \(stallRate)\(prefersRare ? ", rare first" : "")"
    return "seed \(seed), \(order)\n  \(client)\n  \(account)\n  \(layers)\n  \(file)\n"
      + resources.enumerated().map { "  resource \($0.offset): \($0.element)\n" }.joined()
      + steps.map { "  at \($0.time) s: \($0.action)\n" }.joined()
  }
}
