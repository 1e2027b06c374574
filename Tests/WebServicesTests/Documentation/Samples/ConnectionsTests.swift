@testable import WebServicesTestSupport

/// The samples of the article on connections.
@Suite struct ConnectionsTests {
  // sample: requestTimeouts

  /// Compiled alone: the shared instance belongs to other tests.
  private func configure() {
    // sample: transport
    // sample: transportOfServer
    _ = config
  }

  @Test func aSettingThatCannotBeKeptIsAnError() {
    var configuration = WebServiceConfiguration()
    configuration.transport.trust = .file("/no/such/file")
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    // sample: transportCheck
    expectEqual(printed, ["trust: /no/such/file is no file that can be read"])
  }

  @Test func passwordOfAProxyIsEscaped() {
    var configuration = WebServiceConfiguration()
    let (host, password) = ("proxy.example.com", "p@ss/w%rd")
    // sample: proxyPassword
    expectEqual(configuration.transport.proxy, .url("http://feather:p%40ss%2Fw%25rd@proxy.example.com:3128"))
    #expect(!"\(configuration.transport)".contains("w%25rd"))
  }

  #if os(Linux)
    @Test func proxyCertificateAndSocketGoTogether() async throws {
      let files = try TemporaryFolder()
      defer { withExtendedLifetime(files) {} }
      let folder = files.url.path
      for name in ["client.pem", "client.key"] {
        try FileManager.default.copyItem(atPath: TLSFixtures.client, toPath: "\(folder)/\(name)")
      }
      let server = try LoopbackServer(.unixSocket("\(folder)/feather.sock"))
      defer { server.stop() }
      server.route(.get, "/jokes/7", .text("A horse walks into a bar."))
      var configuration = WebServiceConfiguration(baseURL: server.baseURL)
      let (host, password, keyPassword) = ("127.0.0.1", "p@ss/w%rd", String?.none)
      // sample: proxyPassword
      // sample: certificateAndSocket
      let service = JsonWebService(configuration: configuration)
      expectEqual(try await service.sendRequest(Request("jokes/7"), parser: .text), "A horse walks into a bar.")
      service.invalidateAndCancel()
    }

    @Test func proxyGetsThePasswordWithoutEscapes() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      server.route(.get, "/jokes/7", .text("A horse walks into a bar."))
      var configuration = WebServiceConfiguration(baseURL: URL(string: "http://api.example.com"))
      let (host, password) = ("127.0.0.1", "p@ss/w%rd")
      // sample: proxyPassword
      proxy.port = Int(server.port)
      configuration.transport.proxy = .url(proxy.string ?? "")
      let service = JsonWebService(reachability: FakeReachability(), configuration: configuration)
      expectEqual(try await service.sendRequest(Request("jokes/7"), parser: .text), "A horse walks into a bar.")
      let credentials = Data("feather:p@ss/w%rd".utf8).base64EncodedString()
      expectEqual(server.requests.first?.headers["Proxy-Authorization"], "Basic \(credentials)")
      service.invalidateAndCancel()
    }
  #endif
}
