@testable import WebServicesTestSupport
@testable import WebServicesTransport

@Suite(.timeLimit(.minutes(5)))
struct TransportConfigurationTests {
  /// The error of the check, by `FoundationSession` if a Foundation is named.
  private func refusal(
    by foundation: FoundationKind? = nil, _ change: (inout TransportConfiguration) -> Void
  ) -> TransportConfiguration.InvalidSetting? {
    var configuration = TransportConfiguration()
    change(&configuration)
    let checked = Result {
      if let foundation { try configuration.check(for: foundation) } else { try configuration.check() }
    }
    return checked.failure as? TransportConfiguration.InvalidSetting
  }

  @Test func validConfigurationPassesTheCheck() {
    expectEqual(refusal { _ in }, nil)
    for proxy in ["http://h:1", "HTTPS://me:pass@h", "h:3128", "socks5h://127.0.0.1:9", "http://[::1]:1/"] {
      #expect(refusal { $0.proxy = .url(proxy) } == nil, "\(proxy)")
    }
    let digest = Data(count: 32).base64EncodedString()
    let changes: [(inout TransportConfiguration) -> Void] = [
      { $0.pinnedPublicKeys = [digest, "sha256//\(digest)"] }, { $0.unixSocketPath = "/run/a.sock" },
      { $0.addresses = ["h.example:443": "127.0.0.1,[::1],::1"] }, { $0.timeouts = .init() },
    ]
    for change in changes { expectEqual(refusal(change), nil) }
  }

  @Test func invalidValueFailsWithItsSettingsName() {
    let changes: [(String, (inout TransportConfiguration) -> Void)] = [
      ("connectionsPerHost", { $0.connectionsPerHost = 0 }),
      ("idleConnectionLifetime", { $0.idleConnectionLifetime = .nan }),
      ("idleConnectionLifetime", { $0.idleConnectionLifetime = 86_401 }), ("timeouts", { $0.timeouts.idle = 0 }),
      ("timeouts", { $0.timeouts.connect = .infinity }), ("proxy", { $0.proxy = .url("") }),
      ("proxy", { $0.proxy = .url("ftp://h:1") }), ("proxy", { $0.proxy = .url("http://h:99999") }),
      ("proxy", { $0.proxy = .url("http://h/path") }), ("proxy", { $0.proxy = .url("http://h\n:1") }),
      ("trust", { $0.trust = .file("/no/such/file") }),
      ("clientCertificate", { $0.clientCertificate = .pem(certificatePath: "/no", keyPath: "/no") }),
      ("clientCertificate", { $0.clientCertificate = .pkcs12(path: "/no", password: "p") }),
      ("pinnedPublicKeys", { $0.pinnedPublicKeys = [""] }), ("pinnedPublicKeys", { $0.pinnedPublicKeys = ["AAAA"] }),
      ("unixSocketPath", { $0.unixSocketPath = "" }),
      ("unixSocketPath", { $0.unixSocketPath = String(repeating: "a", count: 108) }),
      ("addresses", { $0.addresses = ["h": "127.0.0.1"] }), ("addresses", { $0.addresses = [":1": "127.0.0.1"] }),
      ("addresses", { $0.addresses = ["h:0": "127.0.0.1"] }), ("addresses", { $0.addresses = ["h:1": ""] }),
      ("addresses", { $0.addresses = ["-h:1": "127.0.0.1"] }),
      ("addresses", { $0.addresses = ["h:1": "127.0.0.1,name"] }),
    ]
    for (setting, change) in changes {
      expectEqual(refusal(change)?.setting, setting)
      expectEqual(refusal(change)?.description.hasPrefix("TransportConfiguration.\(setting): "), true)
    }
  }

  @Test func settingsOfTLSRefusePlainURLs() {
    let key = Data(count: 32).base64EncodedString()
    let changes: [(String, (inout TransportConfiguration) -> Void)] = [
      ("pinnedPublicKeys", { $0.pinnedPublicKeys = [key] }), ("minimumTLSVersion", { $0.minimumTLSVersion = .tls1_3 }),
      ("clientCertificate", { $0.clientCertificate = .pkcs12(path: "/", password: "p") }),
    ]
    for (setting, change) in changes {
      var configuration = TransportConfiguration()
      change(&configuration)
      expectEqual(configuration.settingOfTLS, setting)
      for (url, isRefused) in [
        ("http://h.example/", true), ("http://10.0.0.1/", true), ("https://h.example/", false),
        ("http://127.0.0.1:8/", false), ("http://[::1]/", false), ("http://api.localhost/", false),
      ] {
        let target = try? TransportRequest(url: testURL(url)).checkedTarget(settingOfTLS: configuration.settingOfTLS)
        #expect((target == nil) == isRefused, "\(url)")
      }
    }
    expectEqual(TransportConfiguration().settingOfTLS, nil)
  }

  #if os(Linux)
    @Test func redirectToAPlainURLIsRefused() async throws {
      let loopback = try LoopbackServer()
      defer { loopback.stop() }
      loopback.route(.get, "/", .redirect(to: "http://feather.invalid/"))
      let error = await self.error(baseURL: loopback.baseURL, pin: Data(count: 32).base64EncodedString())
      #expect(error?.kind == .invalidRequest && error?.attemptCount == 1)
      expectEqual(error?.message, "TransportConfiguration.pinnedPublicKeys demands TLS; use an https URL")
    }
  #endif

  @Test func proxyAddressesAreSplit() {
    let address = ProxyAddress("http://me:p%40ss@Proxy.example:3128/")
    #expect(address?.scheme == "http" && address?.host == "proxy.example" && address?.port == 3128)
    #expect(address?.user == "me" && address?.password == "p@ss")
    let plain = ProxyAddress("proxy.example")
    #expect(plain?.scheme == "http" && plain?.port == 1080 && plain?.user == nil && plain?.password == nil)
  }

  /// `FoundationSession` throws for each setting that its Foundation doesn't support, and ignores no setting.
  @Test func foundationRefusesUnsupportedSettings() throws {
    typealias Change = (setting: String, change: (inout TransportConfiguration) -> Void)
    let onBoth: [Change] = [
      ("idleConnectionLifetime", { $0.idleConnectionLifetime = 5 }), ("isHTTP2Enabled", { $0.isHTTP2Enabled = false }),
      ("unixSocketPath", { $0.unixSocketPath = "/run/a.sock" }), ("addresses", { $0.addresses = ["h:1": "127.0.0.1"] }),
      ("proxy", { $0.proxy = .url("socks5://h:1") }),
      ("clientCertificate", { $0.clientCertificate = .pem(certificatePath: "/dev/null", keyPath: "/dev/null") }),
    ]
    let onLinux: [Change] = [
      ("connectionsPerHost", { $0.connectionsPerHost = 8 }), ("proxy", { $0.proxy = .none }),
      ("proxy", { $0.proxy = .url("http://h:1") }), ("trust", { $0.trust = .file("/dev/null") }),
      ("clientCertificate", { $0.clientCertificate = .pkcs12(path: "/dev/null", password: "p") }),
      ("pinnedPublicKeys", { $0.pinnedPublicKeys = [Data(count: 32).base64EncodedString()] }),
      ("minimumTLSVersion", { $0.minimumTLSVersion = .tls1_3 }),
    ]
    for (setting, change) in onBoth { expectEqual(refusal(by: .apple, change)?.setting, setting) }
    for (_, change) in onLinux { expectEqual(refusal(by: .apple, change), nil) }
    for (setting, change) in onBoth + onLinux { expectEqual(refusal(by: .openSource, change)?.setting, setting) }
    var configuration = TransportConfiguration()
    configuration.isHTTP2Enabled = false
    #expect(throws: TransportConfiguration.InvalidSetting.self) { try FoundationSession(configuration: configuration) }
    configuration = TransportConfiguration()
    configuration.timeouts = TransportRequest.Timeouts(connect: 1, idle: 2)
    let request = TransportRequest(url: try #require(URL(string: "https://h.example/")))
    expectEqual(try FoundationSettings(configuration).prepared(request).timeouts, configuration.timeouts)
  }

  @Test func serviceWithInvalidTransportFailsRequests() async throws {
    let error = await error(baseURL: URL(string: "http://127.0.0.1:1"), pin: "no digest")
    #expect(error?.kind == .invalidRequest && error?.attemptCount == 0)
    expectEqual(error?.underlying(as: TransportConfiguration.InvalidSetting.self)?.setting, "pinnedPublicKeys")
    #expect("\(error.map { "\($0)" } ?? "")".contains("TransportConfiguration.pinnedPublicKeys"))
    var configuration = TransportConfiguration()
    configuration.pinnedPublicKeys = ["no digest"]
    #expect(throws: TransportConfiguration.InvalidSetting.self) { try DefaultSession.make(configuration) }
  }

  /// The error of a request to the root of a server by a service with a pinned key.
  private func error(baseURL: URL?, pin: String) async -> WebServiceError? {
    var configuration = WebServiceConfiguration(baseURL: baseURL, retry: .standard)
    configuration.transport.pinnedPublicKeys = [pin]
    let service = JsonWebService(
      tokenManager: FakeTokenManager(), reachability: FakeReachability(), configuration: configuration)
    defer { service.invalidateAndCancel() }
    return await thrown { try await service.sendRequest(Request("/"), parser: .nothing) }
  }
}
