#if os(Linux)
  internal import CurlShim

  /// The options that all transfers of a session share.
  extension CurlHandle {
    /// Sets them, and switches off the decisions of libcurl that belong to the engine. By default, libcurl follows no
    /// redirect.
    func setUp() {
      // Without this libcurl changes the handlers of SIGPIPE and SIGALRM, which belong to the whole process.
      set(curlOptionNoSignal, 1)
      // The engine has removed dot segments. A caller of the transport may want to send them.
      set(curlOptionPathAsIs, 1)
      // `CurlHead` would take a proxy's response to CONNECT for the server's response.
      set(curlOptionSuppressConnectHeaders, 1)
      set(curlOptionProtocols, curlProtocolsWeb)
      setCallbacks()
      setTLS()
      setConnection()
    }

    private var configuration: TransportConfiguration { loop.configuration }

    private func setTLS() {
      // libcurl has separate options for a proxy over https, which a libcurl without proxies doesn't know.
      let server = (
        curlOptionTLSVersion, curlOptionVerifyPeer, curlOptionVerifyHost, curlOptionCAFile, curlOptionCADirectory
      )
      let proxy = (
        curlOptionProxyTLSVersion, curlOptionProxyVerifyPeer, curlOptionProxyVerifyHost, curlOptionProxyCAFile,
        curlOptionProxyCADirectory
      )
      let peers = loop.proxy.addresses.isEmpty ? [server] : [server, proxy]
      for (version, verifyPeer, verifyHost, file, directory) in peers {
        set(version, configuration.minimumTLSVersion == .tls1_3 ? curlTLSVersion1_3 : curlTLSVersion1_2)
        set(verifyPeer, 1)
        set(verifyHost, curlVerifyHostName)
        guard let trust = loop.trust else { continue }
        // Both, because libcurl would trust its own file or directory in addition. `nil` removes it.
        set(file, trust.file)
        set(directory, trust.directory)
      }
      // libcurl (from 7.87) would trust the former content of a replaced file for a day.
      set(curlOptionTrustLifetime, configuration.cacheLifetime)
      // A resumed TLS session shows no certificates, so it would go on with those of replaced files.
      if configuration.trust != .system || configuration.clientCertificate != nil { set(curlOptionTLSSessions, 0) }
      switch configuration.clientCertificate {
      case .pem(let certificate, let key, let password):
        set(curlOptionClientCertificate, certificate)
        set(curlOptionClientKey, key)
        // Without any password OpenSSL would ask for one on the terminal, and block the thread that drives.
        set(curlOptionKeyPassword, password ?? "")
      case .pkcs12(let path, let password):
        set(curlOptionClientCertificateType, "P12")
        set(curlOptionClientCertificate, path)
        set(curlOptionKeyPassword, password)
      case nil: break
      }
      if !configuration.pinnedPublicKeys.isEmpty {
        let keys = configuration.pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
        set(curlOptionPinnedPublicKey, keys.joined(separator: ";"))
      }
    }

    private func setConnection() {
      set(curlOptionHTTPVersion, configuration.isHTTP2Enabled ? curlHTTPVersion2TLS : curlHTTPVersion1_1)
      set(curlOptionBufferSize, 64 * 1024)
      set(curlOptionUploadBufferSize, CurlHandle.uploadBufferSize)
      // The system probes connections that are silent.
      set(curlOptionTCPKeepAlive, 1)
      set(curlOptionTCPKeepIdle, 60)
      set(curlOptionTCPKeepInterval, 30)
      set(curlOptionConnectionAge, Int(configuration.idleConnectionLifetime))
      set(curlOptionNoProxy, loop.proxy.exceptions)
      if let path = configuration.unixSocketPath { set(curlOptionUnixSocketPath, path) }
      // libcurl would keep a dead address for a minute, and from 8.16 on a failed look-up for half of it. One look-up a
      // second spares the name server where connections are short.
      set(curlOptionAddressLifetime, min(1, configuration.cacheLifetime))
      for (name, address) in configuration.addresses {
        append("\(name):\(address)", to: &resolveList, of: curlOptionResolve)
      }
      setPointer(curlOptionResolve, UnsafeRawPointer(resolveList))
    }
  }
#endif
