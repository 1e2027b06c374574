#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import WebServicesTesting

  // Serialized: each test starts two processes.
  @Suite(.serialized, .enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  struct TLSLoopbackTests {
    /// Requests `/` with Python's `ssl` module. Returns `TLS version|body`, or the error.
    private func ask(
      _ tls: TLSLoopback, host: String = "localhost", identity: URL? = nil,
      newest: TLSLoopback.Version = .tls13
    ) throws -> String? {
      let script = """
        import socket, ssl, sys
        host, port, authority, identity, newest = sys.argv[1:]
        try:
            context = ssl.create_default_context(cafile=authority)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.maximum_version = ssl.TLSVersion[newest]
            if identity: context.load_cert_chain(identity)
            raw = socket.create_connection(("127.0.0.1", int(port)), 10)
            with context.wrap_socket(raw, server_hostname=host, suppress_ragged_eofs=False) as tls:
                tls.sendall(b"GET / HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n")
                data = b""
                while piece := tls.recv(65536): data += piece
                print(tls.version() + "|" + data.decode().split("\\r\\n\\r\\n")[-1])
        except Exception as error:
            print(repr(error))
        """
      let client = try HelperProcess(
        "python3",
        [
          "-c", script, host, String(tls.port), tls.authorityFile.path, identity?.path ?? "", newest.rawValue,
        ])
      defer { client.stop() }
      return client.firstLine(timeout: 30)
    }

    private func serving() throws -> LoopbackServer {
      let server = try LoopbackServer()
      server.route(.get, "/", .text("secret"))
      return server
    }

    @Test func validCertificateIsTrusted() async throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server)
      #expect(try ask(tls) == "TLSv1.3|secret")
      #expect(try ask(tls, host: "127.0.0.1", newest: .tls12) == "TLSv1.2|secret")
      #expect(await server.waitForOpenConnections(count: 0))
      #expect(tls.url("/a").absoluteString == "https://127.0.0.1:\(tls.port)/a")
      tls.stop()
      tls.stop()
      #expect(!FileManager.default.fileExists(atPath: tls.authorityFile.path))
    }

    @Test func expiredAndWrongCertificatesAreRefused() throws {
      let server = try serving()
      defer { server.stop() }
      let expired = try TLSLoopback(server, certificate: .expired)
      defer { expired.stop() }
      #expect(try ask(expired)?.contains("expired") == true)
      let wrongName = try TLSLoopback(server, certificate: .wrongName)
      defer { wrongName.stop() }
      #expect(try ask(wrongName)?.contains("Hostname mismatch") == true)
      #expect(try ask(wrongName, host: "elsewhere.example") == "TLSv1.3|secret")
    }

    @Test func clientCertificateCanBeRequired() throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, requiresClientCertificate: true)
      defer { tls.stop() }
      #expect(try ask(tls)?.contains("Error") == true)
      #expect(try ask(tls, identity: tls.clientIdentityFile) == "TLSv1.3|secret")
      #expect(server.requestCount == 1)
    }

    @Test func tlsVersionsCanBeChosen() throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server, versions: .tls12 ... .tls12)
      defer { tls.stop() }
      #expect(try ask(tls) == "TLSv1.2|secret")
      let newest = try TLSLoopback(server, versions: .tls13 ... .tls13)
      defer { newest.stop() }
      #expect(try ask(newest, newest: .tls12)?.contains("Error") == true)
    }

    @Test func resetReachesTheClientThroughTLS() throws {
      let server = try serving()
      defer { server.stop() }
      server.route(.get, "/", LoopbackServer.Response.text("secret").cut(afterBytes: 20, then: .reset))
      let tls = try TLSLoopback(server)
      defer { tls.stop() }
      #expect(try ask(tls)?.contains("Error") == true)
    }

    @Test func helperEndsWithItsParentProcess() throws {
      let server = try serving()
      defer { server.stop() }
      let tls = try TLSLoopback(server)
      defer { tls.stop() }
      #expect(FileManager.default.fileExists(atPath: tls.authorityFile.path))
      tls.helper.closeInput()
      // The output ends when the process ends.
      #expect(tls.helper.firstLine(timeout: 3600) == nil)
      #expect(!FileManager.default.fileExists(atPath: tls.authorityFile.path))
    }

    @Test func stoppedHelperProcessHasNoOutput() throws {
      let helper = try HelperProcess("cat", [])
      helper.stop()
      #expect(helper.firstLine(timeout: 0) == nil)
      #expect(throws: SystemError.self) { try HelperProcess("/no/such/executable", []) }
    }
  }
#endif
