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
  /// … // requests to tls.url("/"), trusting TLSFixtures.authority
  /// tls.stop()
  /// ```
  final class TLSLoopback: Sendable {
    /// The certificate of the server.
    enum Certificate: String, Sendable {
      /// A certificate for localhost, 127.0.0.1 and ::1.
      case valid = "server.pem"
      /// A certificate for the same names that expired in 2019.
      case expired = "expired.pem"
      /// A certificate for elsewhere.example.
      case wrongName = "wrong-name.pem"
    }

    /// The port on 127.0.0.1.
    let port: UInt16
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
    ) throws {
      if let reason = Self.unavailability { throw LoopbackServer.StartError(description: reason) }
      let (host, serverPort) = server.address.connectable(port: server.port)
      helper = try Self.script(
        "proxy.py", certificate.rawValue, host, String(serverPort), requiresClientCertificate ? "1" : "0",
        isLimitedToTLS12 ? "TLSv1_2" : "TLSv1_3")
      port = try helper.port()
    }

    /// Starts a script of `Tests/TLS`, which gets the folder as its first argument.
    static func script(_ name: String, _ arguments: String...) throws -> HelperProcess {
      try HelperProcess(python, ["-I", TLSFixtures.path(name), TLSFixtures.folder] + arguments)
    }

    deinit {
      stop()
    }

    /// Stops the helper process before it returns.
    func stop() { helper.stop() }

    /// The URL of a path on 127.0.0.1.
    ///
    /// - Parameter path: begins with a slash and may have a query. Percent-encode it yourself.
    func url(_ path: String) -> URL { testURL("https://127.0.0.1:\(port)\(path)") }

    /// The reason why TLS isn't available on this machine; `nil` if it is.
    static let unavailability: String? = {
      // `-I` ignores the environment and the folder of the user.
      let probe = try? HelperProcess(python, ["-I", "-c", "import ssl; print(ssl.HAS_TLSv1_2)"])
      guard probe?.firstLine(timeout: 30) == "True" else {
        return "TLS tests need python3 with its ssl module; install it to run them."
      }
      return nil
    }()

    private static let python =
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"
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
