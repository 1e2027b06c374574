@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite struct CacheKeyTests {
  @Test func urlIsNormalized() {
    let url = testURL("https://User@API.example.com:443?A=http://B.example:80/#part")
    let lookup = CachePlan(cityRequest(.get, url), identity: nil, policy: .useCache, time: WallClock.start)
    expectEqual(lookup.key.url, "https://api.example.com/?A=http://B.example:80/")
  }

  @Test func settingsThatDecideWhoAnswersMakeTheScope() throws {
    func scope(_ change: (inout TransportConfiguration) -> Void) -> String? {
      var configuration = TransportConfiguration()
      change(&configuration)
      return configuration.cacheScope
    }
    expectEqual(scope { $0.connectionsPerHost = 1 }, nil)
    let scopes = [
      scope { $0.unixSocketPath = "/a" }, scope { $0.unixSocketPath = "/b" },
      scope { $0.addresses = ["a:443": "10.0.0.1"] }, scope { $0.addresses = ["a:443": "10.0.0.2"] },
      scope { $0.clientCertificate = .pkcs12(path: "/a", password: "s3cr3t") },
      scope { $0.clientCertificate = .pem(certificatePath: "/a", keyPath: "/b") },
    ].compactMap(\.self)
    expectEqual(Set(scopes).count, 6)
    #expect(!"\(scopes)".contains("s3cr3t"))
    // A session passes its scope on through the layers, if this system has such a session.
    var configuration = TransportConfiguration()
    configuration.unixSocketPath = "/a"
    guard let session = try? DefaultSession.make(configuration).session else { return }
    let layers: [any SessionLayer] = [.coalescing, .limits(RequestLimits())]
    expectEqual(layers.wrap(session, for: LayerContext()).cacheScope, configuration.cacheScope)
  }

  @Test func scopeAndAllCredentialsMakeTheIdentity() {
    expectEqual(identity(["Accept": "text/html"]), nil)
    let different = [
      identity(["Authorization": "Bearer one-token"]), identity(["Authorization": "Bearer other-token"]),
      identity(["Cookie": "Bearer one-token"]), identity(["Authorization": "Bearer one-token", "Cookie": "a=b"]),
      identity(["Host": "a.example"]), identity(["Host": "b.example"]), identity(["X-Unknown": "one"]),
      identity(["X-Unknown": "two"]), identity(["Accept": "text/html"], ["accept"]), identity([:], scope: "a"),
      identity([:], scope: "b"), identity(["Cookie": "Bearer one-token"], scope: "a"), nil,
    ]
    expectEqual(Set(different).count, different.count)
    expectEqual(identity(["authorization": "Bearer one-token", "Accept": "text/html"]), different[0])
    expectEqual(identity([:], scope: "a"), identity(["Accept": "text/html"], scope: "a"))
    expectEqual(identity(["Cookie": "a", "api-token": "b"]), identity(["api-token": "b", "Cookie": "a"]))
  }
}
