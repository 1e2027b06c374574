#if os(macOS) || os(Linux)
  @testable import WebServicesDoubles

  /// A TLS proxy in front of a ``LoopbackServer``, with its own port.
  ///
  /// A helper process terminates TLS with the `ssl` module of python3, which comes with Linux distributions and with
  /// Apple's developer tools. Without it, ``unavailability`` gives the reason, so that tests can be skipped. The client
  /// sees how the server ends a connection: an orderly end as a TLS close, a reset as a broken connection. The helper
  /// ends with ``stop()`` and when the test's process dies.
  ///
  /// ```swift
  /// let tls = try TLSLoopback(server, certificate: .expired)
  /// … // requests to tls.url("/"), trusting tls.authorityFile
  /// tls.stop()
  /// ```
  final class TLSLoopback: Sendable {
    /// The certificate of the server. The authority in ``authorityFile`` has signed all of them.
    enum Certificate: Sendable {
      /// A certificate for localhost, 127.0.0.1 and ::1.
      case valid
      /// A certificate for the same names that expired in 2019.
      case expired
      /// A certificate for elsewhere.example.
      case wrongName
    }

    /// The port on 127.0.0.1.
    let port: UInt16
    /// The authority's certificate as a PEM file, for the client to trust. ``stop()`` deletes the file.
    let authorityFile: URL
    /// A client certificate that the server accepts and its key, as a PEM file. ``stop()`` deletes the file.
    let clientIdentityFile: URL
    /// The SHA-256 digest of the certificates' public key in Base64, for pinning.
    static let publicKeyDigest = TLSFixtures.publicKeyDigest

    private let directory: URL
    let helper: HelperProcess

    /// Starts a TLS proxy.
    ///
    /// - Parameters:
    ///   - server: the server that receives the decrypted requests. It must outlive the proxy.
    ///   - certificate: the certificate to present.
    ///   - isLimitedToTLS12: whether TLS 1.3 is rejected.
    ///   - requiresClientCertificate: whether to reject clients without a certificate that the authority signed.
    /// - Throws: ``LoopbackServer/StartError`` if TLS isn't available or the proxy can't start.
    init(
      _ server: LoopbackServer, certificate: Certificate = .valid,
      isLimitedToTLS12: Bool = false, requiresClientCertificate: Bool = false
    ) throws(LoopbackServer.StartError) {
      if let reason = Self.unavailability { throw LoopbackServer.StartError(description: reason) }
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("loopback-tls-\(UUID().uuidString)")
      do {
        try Self.writeFiles(certificate, to: directory)
        let (host, serverPort) = server.address.connectable(port: server.port)
        helper = try HelperProcess(
          Self.python,
          Self.pythonOptions + [
            TLSHelper.script, directory.path, host, String(serverPort),
            requiresClientCertificate ? "1" : "0", isLimitedToTLS12 ? "TLSv1_2" : "TLSv1_3",
          ])
        // The script prints its port once it listens.
        guard let port = helper.firstLine(timeout: 30).flatMap(UInt16.init) else {
          throw LoopbackServer.StartError(description: "the helper process (python3) started and exited at once.")
        }
        self.port = port
      } catch {
        try? FileManager.default.removeItem(at: directory)
        throw LoopbackServer.StartError(description: "TLSLoopback can't start: \(error)")
      }
      self.directory = directory
      authorityFile = directory.appendingPathComponent("authority.pem")
      clientIdentityFile = directory.appendingPathComponent("client.pem")
    }

    deinit {
      stop()
    }

    /// Stops the helper process and deletes the files before it returns.
    func stop() {
      helper.stop()
      try? FileManager.default.removeItem(at: directory)
    }

    /// The URL of a path on 127.0.0.1.
    ///
    /// - Parameter path: begins with a slash and may have a query. Percent-encode it yourself.
    func url(_ path: String) -> URL {
      let base = "https://127.0.0.1:\(port)"
      return URL(string: base + path) ?? URL(fileURLWithPath: path)
    }

    /// The reason why TLS isn't available on this machine; `nil` if it is.
    static let unavailability: String? = {
      let probe = try? HelperProcess(python, pythonOptions + ["import ssl; print(ssl.HAS_TLSv1_2)"])
      guard probe?.firstLine(timeout: 30) == "True" else {
        return "TLS tests need python3 with its ssl module; install it to run them."
      }
      return nil
    }()

    private static let python =
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"
    /// `-I` ignores the environment and the folder of the user.
    private static let pythonOptions = ["-I", "-c"]

    private static func writeFiles(_ certificate: Certificate, to directory: URL) throws {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let shown =
        switch certificate {
        case .valid: TLSFixtures.server
        case .expired: TLSFixtures.expired
        case .wrongName: TLSFixtures.wrongName
        }
      let files = [
        "authority.pem": TLSFixtures.authority + "\n",
        "server.pem": shown + "\n" + TLSFixtures.serverKey + "\n",
        "client.pem": TLSFixtures.client + "\n" + TLSFixtures.clientKey + "\n",
      ]
      for (name, text) in files {
        try Data(text.utf8).write(to: directory.appendingPathComponent(name))
      }
    }
  }

  extension LoopbackServer.Address {
    /// The address for the helper: a host and a port, or the path of a socket.
    fileprivate func connectable(port: UInt16) -> (host: String, port: UInt16) {
      switch self {
      case .ipv4: ("127.0.0.1", port)
      case .ipv6: ("::1", port)
      case .unixSocket(let path): (path, 0)
      }
    }
  }
#endif
