#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The options that all exchanges of a session share.
  extension CurlHandle {
    func setUp() {
      setRules()
      setCallbacks()
      setTLS()
      setConnection()
    }

    /// What libcurl would decide by itself, and the engine must.
    private func setRules() {
      set(curlOptionNoSignal, 1)
      set(curlOptionFollowLocation, 0)
      set(curlOptionHTTPAuthentication, 0)
      set(curlOptionNetrc, 0)
      set(curlOptionPathAsIs, 1)
      set(curlOptionSuppressConnectHeaders, 1)
      set(curlOptionConnectTimeout, Int(Int32.max))
      set(curlOptionNoProgress, 1)
      if loop.features.hasProtocolNames {
        set(curlOptionProtocolNames, "http,https")
      } else {
        set(curlOptionProtocols, curlProtocolsWeb)
      }
      if loop.features.canLeaveLookup { set(curlOptionQuickExit, 1) }
    }

    private func setTLS() {
      let configuration = loop.configuration
      set(
        curlOptionTLSVersion,
        configuration.minimumTLSVersion == .tls1_3 ? curlTLSVersion1_3 : curlTLSVersion1_2)
      if let file = loop.trust.file {
        set(curlOptionCAFile, file)
        set(curlOptionProxyCAFile, file)
      }
      // Without this the system's directory would be trusted besides the file.
      if loop.trust.file != nil || loop.trust.directory != nil {
        set(curlOptionCADirectory, loop.trust.directory)
      }
      if let certificate = configuration.clientCertificate {
        set(curlOptionClientCertificate, certificate.certificatePath)
        set(curlOptionClientKey, certificate.keyPath)
        set(curlOptionKeyPassword, certificate.keyPassword)
      }
      if !configuration.pinnedPublicKeys.isEmpty {
        let keys = configuration.pinnedPublicKeys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }
        set(curlOptionPinnedPublicKey, keys.joined(separator: ";"))
      }
    }

    private func setConnection() {
      let configuration = loop.configuration
      set(curlOptionHTTPVersion, offersHTTP2 ? curlHTTPVersion2TLS : curlHTTPVersion1_1)
      set(curlOptionBufferSize, 64 * 1024)
      set(curlOptionUploadBufferSize, CurlUploadBuffer.usual)
      if configuration.isKeepAliveEnabled {
        set(curlOptionTCPKeepAlive, 1)
        set(curlOptionTCPKeepIdle, 60)
        set(curlOptionTCPKeepInterval, 30)
      }
      set(curlOptionConnectionAge, max(1, Int(configuration.idleConnectionLifetime.clamped(to: 1...86_400))))
      set(curlOptionNoProxy, loop.proxy.exceptions)
      if let path = configuration.unixSocketPath { set(curlOptionUnixSocketPath, path) }
      for (name, address) in configuration.addresses {
        if let longer = curlShimListAppend(resolveList, "\(name):\(address)") { resolveList = longer }
      }
      curlShimEasySetList(easy, Int32(curlOptionResolve), resolveList)
    }

    private func setCallbacks() {
      let context = Unmanaged.passUnretained(self).toOpaque()
      setPointer(curlOptionErrorBuffer, errorBuffer)
      for option in [
        curlOptionPrivate, curlOptionWriteData, curlOptionHeaderData, curlOptionReadData,
        curlOptionProgressData,
        curlOptionOpenSocketData,
      ] {
        setPointer(option, context)
      }
      setPointer(curlOptionCloseSocketData, Unmanaged.passUnretained(loop).toOpaque())
      CurlCallbacks.install(on: easy)
      if loop.features.hasPrerequest {
        setPointer(curlOptionPrerequestData, context)
        CurlCallbacks.installPrerequest(on: easy)
      }
    }
  }

  extension TimeInterval {
    /// The nearest value of the range; the lower bound for what is no number.
    func clamped(to range: ClosedRange<TimeInterval>) -> TimeInterval {
      isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
  }
#endif
