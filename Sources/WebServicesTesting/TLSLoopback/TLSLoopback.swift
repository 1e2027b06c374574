#if os(macOS) || os(Linux)
  public import Foundation

  /// TLS in front of a `LoopbackServer`, on a port of its own.
  ///
  /// TLS is ended by a helper process: the `ssl` module of python3, which comes with Linux distributions and with
  /// Apple's developer tools. Where it is missing, `unavailability` says so and tests can be skipped. What the server
  /// does to a connection reaches the client: an end as an orderly end of TLS, a reset as a connection that breaks
  /// off. The helper ends with `stop()`, and also when the test's process dies.
  ///
  /// ```swift
  /// let tls = try TLSLoopback(server, certificate: .expired)
  /// … // requests to tls.url("/"), trusting tls.authorityFile
  /// tls.stop()
  /// ```
  public final class TLSLoopback: Sendable {
    /// Which certificate the server shows. Each is signed by the authority of `authorityFile`.
    public enum Certificate: Sendable, Hashable, CaseIterable {
      /// For localhost, 127.0.0.1 and ::1.
      case valid
      /// For the same names, ended in 2019.
      case expired
      /// For elsewhere.example.
      case wrongName
    }

    /// A version of TLS.
    public enum Version: String, Sendable, Hashable, CaseIterable, Comparable {
      /// TLS 1.1, which some systems refuse to speak.
      case tls11 = "TLSv1_1"
      /// TLS 1.2
      case tls12 = "TLSv1_2"
      /// TLS 1.3
      case tls13 = "TLSv1_3"

      /// Whether a version is older than another.
      public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// The port at 127.0.0.1.
    public let port: UInt16
    /// A PEM file with the authority's certificate, for the client to trust. `stop()` removes it.
    public let authorityFile: URL
    /// A PEM file with a client's certificate that the server accepts, and its key. `stop()` removes it.
    public let clientIdentityFile: URL
    /// SHA-256 of the public key of every one of these certificates, in Base64: for pinning.
    public static let publicKeyDigest = TLSFixtures.publicKeyDigest

    private let directory: URL
    let helper: HelperProcess

    /// Starts to serve TLS for a server.
    ///
    /// - Parameters:
    ///   - server: who gets the bytes. It must run as long as requests come.
    ///   - certificate: what is shown.
    ///   - versions: the versions that are spoken.
    ///   - requiresClientCertificate: whether only clients with a certificate of the authority's are let in.
    public init(
      _ server: LoopbackServer, certificate: Certificate = .valid,
      versions: ClosedRange<Version> = .tls12 ... .tls13, requiresClientCertificate: Bool = false
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
            requiresClientCertificate ? "1" : "0", versions.lowerBound.rawValue, versions.upperBound.rawValue,
          ])
        guard let port = helper.firstLine(timeout: 30).flatMap(UInt16.init) else {
          throw LoopbackServer.StartError(description: "python3 began to serve TLS and ended.")
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

    /// Ends the helper process. When it returns, neither the process nor a file is left.
    public func stop() {
      helper.stop()
      try? FileManager.default.removeItem(at: directory)
    }

    /// The URL of a path at 127.0.0.1.
    public func url(_ path: String) -> URL {
      let base = "https://127.0.0.1:\(port)"
      return URL(string: base + path) ?? URL(fileURLWithPath: path)
    }

    /// Why TLS can't be served on this machine; `nil` where it can.
    public static let unavailability: String? = {
      let probe = try? HelperProcess(python, pythonOptions + ["import ssl; print(ssl.HAS_TLSv1_2)"])
      guard probe?.firstLine(timeout: 30) == "True" else {
        return "TLS tests need python3 with its ssl module, which this machine hasn't."
      }
      return nil
    }()

    private static let python =
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"
    private static let pythonOptions = ["-I", "-W", "ignore", "-c"]

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
    /// What the helper connects to: a host and a port, or the path of a socket.
    fileprivate func connectable(port: UInt16) -> (host: String, port: UInt16) {
      switch self {
      case .ipv4: ("127.0.0.1", port)
      case .ipv6: ("::1", port)
      case .unixSocket(let path): (path, 0)
      }
    }
  }
#endif
