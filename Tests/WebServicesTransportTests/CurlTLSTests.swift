@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesHTTP
  @testable import WebServicesTransport

  /// Trust and certificates. A helper process terminates TLS for the server.
  @Suite(
    .serialized, .timeLimit(.minutes(1)), .leavesNothing,
    .enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  struct CurlTLSTests {
    private func ask(
      _ tls: TLSLoopback, url: URL? = nil, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> Result<WebServiceResponse, TransportError> {
      let session = try CurlSession.forTest { configuration in
        configuration.trust = .file(tls.authorityFile.path)
        change(&configuration)
      }
      defer { session.invalidateAndCancel() }
      return await session.send(TransportRequest(url: url ?? tls.url("/"), timeouts: .init(whole: 20)))
    }

    private func serving() throws -> LoopbackServer {
      let server = try LoopbackServer.forTest()
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

    @Test("fact 22: an own authority, pinned keys and the oldest version are used")
    func tlsSettingsOfTheConfigurationAreUsed() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, isLimitedToTLS12: true)
      defer { tls.stop() }
      let result = try await ask(tls)
      expectEqual(result.text, "secret")
      #expect(result.response?.metrics?.tls != nil)
      let wrongKey = Data(count: 32).base64EncodedString()
      expectEqual(try await ask(tls) { $0.pinnedPublicKeys = [wrongKey, TLSLoopback.publicKeyDigest] }.text, "secret")
      expectRefusal(try await ask(tls) { $0.pinnedPublicKeys = [wrongKey] })
      expectRefusal(try await ask(tls) { $0.trust = .system })
      await #expect(throws: TransportConfiguration.InvalidSetting.self) {
        try await ask(tls) { $0.trust = .file("/no/such/file") }
      }
      expectRefusal(try await ask(tls) { $0.minimumTLSVersion = .tls1_3 })
      expectEqual(server.requestCount, 2)
    }

    /// Requests a URL through the https proxy.
    private func ask(
      _ url: String = "http://feather.invalid/", through tls: TLSLoopback,
      _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> Result<WebServiceResponse, TransportError> {
      try await ask(tls, url: testURL(url)) { configuration in
        configuration.proxy = .url("https://127.0.0.1:\(tls.port)")
        change(&configuration)
      }
    }

    @Test func httpsProxyIsHeldToTrustAndVersion() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, isLimitedToTLS12: true)
      defer { tls.stop() }
      expectEqual(try await ask(through: tls).text, "secret")
      expectEqual(server.requests.first?.target, "http://feather.invalid/")
      expectEqual(
        try await ask("https://feather.invalid/", through: tls) { $0.minimumTLSVersion = .tls1_3 }.error?.kind, .tls)
      expectEqual(try await ask(through: tls) { $0.trust = .system }.error?.kind, .tls)
      for certificate in [TLSLoopback.Certificate.expired, .wrongName] {
        let tls = try TLSLoopback(server, certificate: certificate)
        defer { tls.stop() }
        expectEqual(try await ask(through: tls).error?.kind, .tls)
      }
      expectEqual(server.requestCount, 1)
    }

    @Test(
      arguments: [
        TLSLoopback.Certificate.expired, .wrongName,
      ])
    func badCertificatesAreRefused(_ certificate: TLSLoopback.Certificate) async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, certificate: certificate)
      defer { tls.stop() }
      expectRefusal(try await ask(tls))
      expectEqual(server.requestCount, 0)
    }

    @Test func clientCertificateIsSent() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server, requiresClientCertificate: true)
      defer { tls.stop() }
      let path = tls.clientIdentityFile.path
      let shown = try await ask(tls) { $0.clientCertificate = .pem(certificatePath: path, keyPath: path) }
      expectEqual(shown.text, "secret")
      #expect(try await ask(tls).error != nil)
      expectEqual(server.requestCount, 1)
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p12")
      try #require(Data(base64Encoded: Self.clientIdentity, options: .ignoreUnknownCharacters)).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      for (password, text) in [("feather", "secret"), ("wrong", nil)] {
        let result = try await ask(tls) { $0.clientCertificate = .pkcs12(path: file.path, password: password) }
        expectEqual(result.text, text)
      }
      expectEqual(server.requestCount, 2)
    }

    @Test func refusedClientCertificateIsAFailureOfTLS() async throws {
      let tls = try TLSLoopback(try serving())
      defer { tls.stop() }
      let directory = tls.authorityFile.deletingLastPathComponent().path
      let helper = try HelperProcess("python3", ["-I", "-c", Self.refusingServer, directory])
      defer { helper.stop() }
      let port = try #require(helper.firstLine(timeout: 30))
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      let own = TransportConfiguration.ClientCertificate.pem(
        certificatePath: directory + "/server.pem", keyPath: directory + "/server.pem")
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

    /// Refuses every certificate but those of clients, and keeps the connection, because its end could overtake the alert.
    private static let refusingServer = """
      import socket, ssl, sys
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1] + "/server.pem")
      context.verify_mode = ssl.CERT_REQUIRED
      context.load_verify_locations(sys.argv[1] + "/authority.pem")
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      while True:
          connection = context.wrap_socket(listener.accept()[0], server_side=True, do_handshake_on_connect=False)
          try:
              connection.do_handshake()
          except ssl.SSLError:
              pass
          plain = socket.socket(fileno=connection.detach())
          try:
              while plain.recv(65536):
                  pass
          except OSError:
              pass
      """

    @Test func unusableKeyIsNamedBeforeAnythingIsSent() throws {
      let tls = try TLSLoopback(try serving())
      defer { tls.stop() }
      let certificate = tls.clientIdentityFile.path
      let directory = tls.authorityFile.deletingLastPathComponent()
      let encrypted = directory.appendingPathComponent("encrypted.pem")
      try Data(Self.encryptedKey.utf8).write(to: encrypted)
      func reason(_ key: String, _ password: String?, certificate: String = certificate) -> String? {
        var configuration = TransportConfiguration()
        configuration.clientCertificate = .pem(certificatePath: certificate, keyPath: key, password: password)
        do throws(TransportConfiguration.InvalidSetting) { try configuration.check() } catch {
          expectEqual(error.setting, "clientCertificate")
          return error.reason
        }
        return nil
      }
      let (key, server) = (encrypted.path, directory.path + "/server.pem")
      expectEqual(reason(certificate, nil), nil)
      expectEqual(reason(certificate, "not needed"), nil)
      expectEqual(reason(key, "feather"), nil)
      expectEqual(reason(key, "wrong"), "\(key) has no key that can be read with the password that is given")
      expectEqual(
        reason(key, nil), "\(key) has no key that can be read without a password; an encrypted key needs its own"
      )
      expectEqual(
        reason(tls.authorityFile.path, nil),
        reason(key, nil)?.replacingOccurrences(of: key, with: tls.authorityFile.path))
      expectEqual(reason(server, nil), "the key in \(server) isn't the key of the certificate in \(certificate)")
      expectEqual(reason(certificate, nil, certificate: key), "\(key) has no certificate in PEM")
      #expect(reason(key, "Zq7Xw9")?.contains("Zq7") == false)
    }

    /// A file may change after the session was made, and only libcurl reads PKCS #12.
    @Test func keyThatLibcurlRefusesIsAnInvalidSetting() async throws {
      let server = try serving()
      let tls = try TLSLoopback(server)
      defer { tls.stop() }
      let file = tls.authorityFile.deletingLastPathComponent().appendingPathComponent("client.p12")
      try #require(Data(base64Encoded: Self.clientIdentity, options: .ignoreUnknownCharacters)).write(to: file)
      let result = try await ask(tls) { $0.clientCertificate = .pkcs12(path: file.path, password: "wrong") }
      let error = result.error
      #expect(error?.kind == .invalidRequest && error?.mayHaveReachedServer == false && error?.isOfAttempt == false)
      let cause = error?.underlying as? TransportConfiguration.InvalidSetting
      expectEqual(cause?.setting, "clientCertificate")
      expectEqual(cause?.reason.contains("check password"), true)
      expectEqual(server.requestCount, 0)
    }

    /// The client's key with the password `feather`.
    private static let encryptedKey = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiXiklSwjdsYwICA+gw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENeQBwwHAEU35Zx3aWvS1C4EgZAp
      fJPTaVE26wMOyvOjNcFM5Ma09XttK1udGxLG7Mzh3CU9ffLJc7LI97PX//yHd3Kc
      BwBNuHWMqtUrZu6l7KCwblaOH1a+BlrgEeUgdCPHh6NlIHHS7VfXJjQVVuUevt2m
      YR+6zt/QOyo+HnvpLMqLuUayOG29hNfqiXwBqno82zg1OTIsuSDJJHdiqC72wbA=
      -----END ENCRYPTED PRIVATE KEY-----
      """

    /// The client's certificate and key of `TLSLoopback` in PKCS #12, with the password `feather`.
    private static let clientIdentity = """
      MIIEPAIBAzCCA/IGCSqGSIb3DQEHAaCCA+MEggPfMIID2zCCApIGCSqGSIb3DQEHBqCCAoMwggJ/
      AgEAMIICeAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgXY4yRAKAS
      wQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEN73ENCcreQ/d6ybL3tcJG6AggIQe6ZW
      Ws5Ik/qhuyqXywRhaVo8oz5B5OHcGRsSp6218UqJ55bt72OIYtAjZJOAdbWWJ3ZMwAUJLT//ScWU
      hy+mBOfkajL9FtrdrgsYZwMaGeQ5T3A+BD6yZ/6jVwPNNv5OfvBvnK/wXb8CNkqd5qFECOwmpUSe
      GbxdhZ2pwJ1KHq7tgqIja0AWiKDZrjQ/PvU6PN/gmvcedeQk81oysB/nptRkqsMV5/wUhgtZh+Gt
      lNNYr5kjmnEjIAAlVC4byffi8+uqbD5N2u8ffovoMar3+7BtnOmnliBJ2JPPvfFd2JLYphWzfnaH
      TrhDaluaBOfxFNLERdBkVIFjdRscujHAgSfHTyYgxvAkiT9mdUZ67vG6ScjQJZj5SjFmf2/mua3Y
      iHv5QJyRFPsRKF3d7vcT2qzoEQKaG0aEa7rAxndRzH0MwCwgLnnuXrgdu68pxKSfuVNT87n1aTlC
      PJ9XXwO2a1/TQIHDNgLdLSIipgR4RHruYAu0cWY+J1Y4u+5kWxDdRKdjyL6uOQ3Q81IZAT9wNrju
      aqX4sXPxQ4nj7RzdPfTh4lQt/EhclRUz764fvbsQBhJf8xLI1TuTRKbY2Ys5RdpUEjymQim60pQq
      siDMIOslWF6TdkxsyqmpZZn2fYXdv1rkNtH13uEJMX6O06bHfdMb5aWghPfD2d5s+82PJ836CqQj
      C71sKFpLrzsip2OBMIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKg
      ge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECHbq+8YCXXZPAgIIADAMBggqhkiG
      9w0CCQUAMB0GCWCGSAFlAwQBKgQQryCTStIeac1uomsm0u8KrwSBkF377eh4g2OnDXYOn9YM7Tq/
      DPdlG+Z6AdH1+aj99mOQXXvxl7CNOJ5AaoS0BSAXU9V4Wy2rCRQpUm4TQtJZn9mp36WZdRRhrE8P
      UQY67YNVK98G79Q7c1UIt7IuniIzPxjqsj3DigSlwVHK7EpE2+jhM+0lZ6IW+bTdybygZ6PN0g8t
      kj025cYt6DrG+DsAYzElMCMGCSqGSIb3DQEJFTEWBBRNlFnwqVu8N2gKuPRcW4CZktQ69zBBMDEw
      DQYJYIZIAWUDBAIBBQAEIHF2Fn42g+9VItA8bIymXVp+pQx0q/8rHliQwn87xhqABAhZZuk5hsbD
      AAICCAA=
      """
  }
#endif
