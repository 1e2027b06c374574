#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The libcurl that was found at run time. `found` loads it once for the process.
  struct CurlLibrary: Sendable {
    /// The version and the TLS library, as text.
    let description: String
    /// Whether there is a callback before each request goes out on a connection (CURLOPT_PREREQFUNCTION, 7.80).
    var hasPrerequest: Bool
    /// Whether the library speaks HTTP/2. The one of the Static Linux SDK doesn't.
    var hasHTTP2: Bool
    /// The system's certificates, where the library was built without a place for them.
    var certificates: String?

    /// The library, or the reason why none can be used.
    static let found = Result { () throws(CurlUnavailable) in
      if let failure = curlShimLoad() { throw CurlUnavailable(description: String(cString: failure)) }
      guard let found = curlShimVersion()?.pointee
      else { throw CurlUnavailable(description: "libcurl does not tell its version") }
      var library = try check(found)
      library.certificates = missingCertificates(found)
      return library
    }

    /// Whether writing to a connection that its peer has closed may raise SIGPIPE, which ends the program by default.
    /// Before libcurl 7.87, OpenSSL writes without MSG_NOSIGNAL. CURLOPT_NOSIGNAL switches off libcurl's own
    /// protection.
    static var raisesPipeSignal: Bool { curlShimVersion().map { $0.pointee.number < 0x07_57_00 } ?? false }

    /// The file that most systems have, if the library, from 7.84 on, says that it has no place of its own.
    private static func missingCertificates(_ found: CurlShimVersion) -> String? {
      guard found.number >= 0x07_54_00, let easy = curlShimEasyInit() else { return nil }
      defer { curlShimEasyCleanup(easy) }
      for place in [curlInformationCAFile, curlInformationCADirectory] {
        if curlShimEasyGetString(easy, Int32(place)) != nil { return nil }
      }
      let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
      return files.first { access($0, R_OK) == 0 }
    }

    /// Accepts a library from 7.76 on, with TLS and name look-ups that block no thread.
    static func check(_ found: CurlShimVersion) throws(CurlUnavailable) -> CurlLibrary {
      let names = [found.text, found.tls].compactMap { $0.map { String(cString: $0) } }
      let text = (["libcurl"] + names).joined(separator: " ")
      let needed = curlFeatureTLS | curlFeatureAsynchronousLookup
      guard found.number >= 0x07_4C_00, Int(found.features) & needed == needed else {
        throw CurlUnavailable(description: "\(text) is older than 7.76, or lacks TLS or asynchronous look-ups")
      }
      return CurlLibrary(
        description: text, hasPrerequest: found.number >= 0x07_50_00,
        hasHTTP2: Int(found.features) & curlFeatureHTTP2 != 0)
    }
  }

  /// Why `CurlSession` can't be used here.
  struct CurlUnavailable: DescribedByLibrary {
    let description: String
  }
#endif
