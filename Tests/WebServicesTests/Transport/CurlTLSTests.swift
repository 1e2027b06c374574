#if os(Linux)
  import Foundation
  import Testing
  @testable import WebServices
  import WebServicesTesting

  /// Trust and certificates. A helper process terminates TLS for the server.
  @Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  struct CurlTLSTests {
    private func ask(
      _ tls: TLSLoopback, _ change: (inout CurlSessionConfiguration) -> Void = { _ in }
    ) async throws -> Result<WebServiceResponse, TransportError> {
      var configuration = CurlSessionConfiguration()
      configuration.proxy = .none
      configuration.trust = .file(tls.authorityFile.path)
      change(&configuration)
      let session = try CurlSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      return await session.send(TransportRequest(url: tls.url("/"), timeouts: .init(whole: 20)))
    }

    private func serving() throws -> LoopbackServer {
      let server = try LoopbackServer()
      server.route(.get, "/", .text("secret"))
      return server
    }

    private func expectRefusal(
      _ result: Result<WebServiceResponse, TransportError>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(result.error?.kind == .tls, sourceLocation: sourceLocation)
      #expect(result.error?.mayHaveReachedServer == false, sourceLocation: sourceLocation)
      #expect(result.error?.message.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test("fact 22: an authority of one's own, pinned keys and the oldest version")
    func trust() async throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, versions: .tls12 ... .tls12)
      defer { tls.stop() }
      let result = try await ask(tls)
      #expect(result.text == "secret")
      #expect(result.response?.metrics?.tls != nil)
      let wrongKey = Data(count: 32).base64EncodedString()
      #expect(
        try await ask(tls) { $0.pinnedPublicKeys = [wrongKey, TLSLoopback.publicKeyDigest] }.text == "secret")
      expectRefusal(try await ask(tls) { $0.pinnedPublicKeys = [wrongKey] })
      expectRefusal(try await ask(tls) { $0.trust = .system })
      expectRefusal(try await ask(tls) { $0.trust = .file("/no/such/file") })
      expectRefusal(try await ask(tls) { $0.minimumTLSVersion = .tls1_3 })
      #expect(server.requestCount == 2)
    }

    /// Requests an http URL through the https proxy.
    private func ask(
      through tls: TLSLoopback, _ change: (inout CurlSessionConfiguration) -> Void = { _ in }
    ) async throws -> Result<WebServiceResponse, TransportError> {
      var configuration = CurlSessionConfiguration()
      configuration.proxy = .url("https://127.0.0.1:\(tls.port)")
      configuration.trust = .file(tls.authorityFile.path)
      change(&configuration)
      let session = try CurlSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      let url = try #require(URL(string: "http://feather.invalid/"))
      return await session.send(TransportRequest(url: url, timeouts: .init(whole: 20)))
    }

    @Test func httpsProxyIsHeldToTrustAndVersion() async throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, versions: .tls12 ... .tls12)
      defer { tls.stop() }
      #expect(try await ask(through: tls).text == "secret")
      #expect(server.requests.first?.target == "http://feather.invalid/")
      #expect(try await ask(through: tls) { $0.minimumTLSVersion = .tls1_3 }.error?.kind == .tls)
      #expect(try await ask(through: tls) { $0.trust = .system }.error?.kind == .tls)
      #expect(try await ask(through: tls) { $0.trust = .file("/no/such/file") }.error?.kind == .tls)
      for certificate in [TLSLoopback.Certificate.expired, .wrongName] {
        let tls = try TLSLoopback(server, certificate: certificate)
        defer { tls.stop() }
        #expect(try await ask(through: tls).error?.kind == .tls)
      }
      #expect(server.requestCount == 1)
    }

    @Test(
      "certificates that have ended or name another host",
      arguments: [
        TLSLoopback.Certificate.expired, .wrongName,
      ])
    func badCertificates(_ certificate: TLSLoopback.Certificate) async throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, certificate: certificate)
      defer { tls.stop() }
      expectRefusal(try await ask(tls))
      #expect(server.requestCount == 0)
    }

    @Test("a client's certificate")
    func clientCertificate() async throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, requiresClientCertificate: true)
      defer { tls.stop() }
      let path = tls.clientIdentityFile.path
      let shown = try await ask(tls) { $0.clientCertificate = .init(certificatePath: path, keyPath: path) }
      #expect(shown.text == "secret")
      #expect(try await ask(tls).error != nil)
      #expect(server.requestCount == 1)
    }
  }
#endif
