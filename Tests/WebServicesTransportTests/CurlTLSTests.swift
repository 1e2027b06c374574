@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// Trust and certificates. A helper process terminates TLS for the server.
  @Suite(
    .serialized, .timeLimit(.minutes(5)), .leavesNothing,
    .enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  struct CurlTLSTests {
    private func ask(
      _ tls: TLSLoopback, url: URL? = nil, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> Result<WebServiceResponse, TransportError> {
      let session = try CurlSession.forTest { configuration in
        configuration.trust = .file(TLSFixtures.authority)
        change(&configuration)
      }
      defer { session.invalidateAndCancel() }
      return await session.send(TransportRequest(url: url ?? tls.url("/")))
    }

    private func serving() throws -> LoopbackServer {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("secret"))
      return server
    }

    private func expectRefusal(
      _ result: Result<WebServiceResponse, TransportError>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = result.error
      #expect(error?.kind == .tls && error?.mayHaveReachedServer == false, sourceLocation: sourceLocation)
      #expect(error?.message.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test("fact 22: an own authority, pinned keys and the oldest version are used")
    func tlsSettingsOfTheConfigurationAreUsed() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, isLimitedToTLS12: true)
      defer { tls.stop() }
      let result = try await ask(tls)
      expectEqual(result.text, "secret")
      #expect(result.response?.metrics?.tls != nil)
      let wrongKey = Data(count: 32).base64EncodedString()
      expectEqual(try await ask(tls) { $0.pinnedPublicKeys = [wrongKey, TLSFixtures.publicKeyDigest] }.text, "secret")
      expectRefusal(try await ask(tls) { $0.pinnedPublicKeys = [wrongKey] })
      expectRefusal(try await ask(tls) { $0.trust = .system })
      expectRefusal(try await ask(tls) { $0.minimumTLSVersion = .tls1_3 })
      for certificate in [TLSLoopback.Certificate.expired, .wrongName] {
        let tls = try TLSLoopback(server, certificate: certificate)
        defer { tls.stop() }
        expectRefusal(try await ask(tls))
      }
      expectEqual(server.requestCount, 2)
    }

    /// A file that tests replace by fixtures.
    private struct ReplacedFile {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("replaced-\(UUID()).pem")

      func replace(by name: String) throws {
        try Data(contentsOf: URL(fileURLWithPath: TLSFixtures.path(name))).write(to: url, options: .atomic)
      }

      func remove() { try? FileManager.default.removeItem(at: url) }
    }

    private func askAnew(_ tls: TLSLoopback, _ session: CurlSession) async -> Result<WebServiceResponse, TransportError>
    {
      var request = TransportRequest(url: tls.url("/"))
      request.needsNewConnection = true
      return await session.send(request)
    }

    /// A server that resumes a TLS session shows no certificate.
    @Test func replacedTrustFileCountsForNewConnections() async throws {
      let tls = try TLSLoopback(try serving())
      defer { tls.stop() }
      let file = ReplacedFile()
      defer { file.remove() }
      try file.replace(by: "wrong-name.pem")
      var configuration = TransportConfiguration.forTest
      configuration.trust = .file(file.url.path)
      configuration.cacheLifetime = 0
      let session = try CurlSession(configuration: configuration)
      defer { session.invalidateAndCancel() }
      expectRefusal(await askAnew(tls, session))
      try file.replace(by: "authority.pem")
      expectEqual(await askAnew(tls, session).text, "secret")
      try file.replace(by: "wrong-name.pem")
      expectRefusal(await askAnew(tls, session))
    }

    /// A client that resumes a TLS session shows none either.
    @Test(arguments: ["client.pem", "client.p12"])
    func replacedClientCertificateCountsForNewConnections(_ name: String) async throws {
      let tls = try TLSLoopback(try serving(), requiresClientCertificate: true)
      defer { tls.stop() }
      let file = ReplacedFile()
      defer { file.remove() }
      try file.replace(by: name)
      var configuration = TransportConfiguration.forTest
      configuration.clientCertificate =
        name == "client.p12"
        ? .pkcs12(path: file.url.path, password: "feather")
        : .pem(certificatePath: file.url.path, keyPath: file.url.path)
      let session = CurlSession(
        configuration, library: try CurlLibrary.found.get(), environment: ["SSL_CERT_FILE": TLSFixtures.authority])
      defer { session.invalidateAndCancel() }
      expectEqual(await askAnew(tls, session).text, "secret")
      // Servers refuse a server's certificate.
      try file.replace(by: "server.pem")
      #expect(await askAnew(tls, session).error != nil)
      try file.replace(by: name)
      expectEqual(await askAnew(tls, session).text, "secret")
    }

    @Test func httpsProxyIsHeldToTrustAndVersion() async throws {
      let server = try serving()
      func kind(
        _ certificate: TLSLoopback.Certificate = .valid, _ url: String = "http://feather.invalid/",
        _ change: (inout TransportConfiguration) -> Void = { _ in }
      ) async throws -> TransportError.Kind? {
        let tls = try TLSLoopback(server, certificate: certificate, isLimitedToTLS12: true)
        defer { tls.stop() }
        return try await ask(tls, url: testURL(url)) { configuration in
          configuration.proxy = .url("https://127.0.0.1:\(tls.port)")
          change(&configuration)
        }.error?.kind
      }
      expectEqual(try await kind(), nil)
      expectEqual(server.requests.first?.target, "http://feather.invalid/")
      expectEqual(try await kind(.valid, "https://feather.invalid/") { $0.minimumTLSVersion = .tls1_3 }, .tls)
      expectEqual(try await kind { $0.trust = .system }, .tls)
      for certificate in [TLSLoopback.Certificate.expired, .wrongName] {
        expectEqual(try await kind(certificate), .tls)
      }
      expectEqual(server.requestCount, 1)
    }

    @Test func clientCertificateIsSent() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, requiresClientCertificate: true)
      defer { tls.stop() }
      let (pem, file) = (TLSFixtures.client, TLSFixtures.path("client.p12"))
      let rows: [(TransportConfiguration.ClientCertificate?, String?)] = [
        (.pem(certificatePath: pem, keyPath: pem), "secret"), (nil, nil),
        (.pkcs12(path: file, password: "feather"), "secret"), (.pkcs12(path: file, password: "wrong"), nil),
      ]
      for (certificate, text) in rows {
        expectEqual(try await ask(tls) { $0.clientCertificate = certificate }.text, text)
      }
      expectEqual(server.requestCount, 2)
    }

    @Test func refusedClientCertificateIsAFailureOfTLS() async throws {
      let tls = try TLSLoopback(try serving())
      defer { tls.stop() }
      let helper = try TLSLoopback.script("refusing.py")
      defer { helper.stop() }
      let url = testURL("https://127.0.0.1:\(try helper.port())/")
      let server = TLSFixtures.path("server.pem")
      let own = TransportConfiguration.ClientCertificate.pem(certificatePath: server, keyPath: server)
      for certificate in [nil, own] {
        for isHTTP2Enabled in [true, false] {
          let result = try await ask(tls, url: url) {
            ($0.clientCertificate, $0.isHTTP2Enabled) = (certificate, isHTTP2Enabled)
          }
          expectEqual(result.error?.kind, .tls)
          expectEqual(result.error?.message.contains("alert"), true)
        }
      }
    }

    @Test func unusableKeyIsNamedBeforeAnythingIsSent() throws {
      let (client, key) = (TLSFixtures.client, TLSFixtures.path("client-encrypted.pem"))
      let (server, authority) = (TLSFixtures.path("server.pem"), TLSFixtures.authority)
      func unread(_ path: String, _ secret: String) -> String { "\(path) has no key that can be read \(secret)" }
      let none = "without a password; an encrypted key needs its own"
      let rows: [(key: String, password: String?, certificate: String, reason: String?)] = [
        (client, nil, client, nil), (client, "not needed", client, nil), (key, "feather", client, nil),
        (key, "Zq7Xw9", client, unread(key, "with the password that is given")), (key, nil, client, unread(key, none)),
        (authority, nil, client, unread(authority, none)),
        (server, nil, client, "the key in \(server) isn't the key of the certificate in \(client)"),
        (client, nil, key, "\(key) has no certificate in PEM"),
      ]
      for (key, password, certificate, reason) in rows {
        var configuration = TransportConfiguration()
        configuration.clientCertificate = .pem(certificatePath: certificate, keyPath: key, password: password)
        let found = Result { try configuration.check() }.failure as? TransportConfiguration.InvalidSetting
        expectEqual(found?.reason, reason)
        expectEqual(found?.setting, reason.map { _ in "clientCertificate" })
      }
    }

    /// A file may change after the session was made, and only libcurl reads PKCS #12.
    @Test func keyThatLibcurlRefusesIsAnInvalidSetting() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server)
      defer { tls.stop() }
      let wrong = TransportConfiguration.ClientCertificate.pkcs12(
        path: TLSFixtures.path("client.p12"), password: "wrong")
      let error = try await ask(tls) { $0.clientCertificate = wrong }.error
      #expect(error?.kind == .invalidRequest && error?.mayHaveReachedServer == false && error?.isOfAttempt == false)
      let cause = error?.underlying as? TransportConfiguration.InvalidSetting
      #expect(cause?.setting == "clientCertificate" && cause?.reason.contains("check password") == true)
      expectEqual(server.requestCount, 0)
    }
  }
#endif
