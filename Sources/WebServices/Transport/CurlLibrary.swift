#if os(Linux)
  internal import CurlShim

  /// The libcurl that was found at run time. `found` loads it once for the process.
  struct CurlLibrary: Sendable {
    /// The version and the TLS library, as text.
    let description: String
    /// Whether there is a callback before each request goes out on a connection (CURLOPT_PREREQFUNCTION, 7.80).
    var hasPrerequest: Bool
    private let raisesPipeSignal: Bool

    /// The library, or the reason why none can be used.
    static let found: Result<CurlLibrary, CurlUnavailable> = load()

    /// Whether writing to a connection that its peer has closed may raise SIGPIPE, which ends the program by default.
    /// Before libcurl 7.87, OpenSSL writes without MSG_NOSIGNAL. CURLOPT_NOSIGNAL switches off libcurl's own protection.
    static let raisesPipeSignal = (try? found.get().raisesPipeSignal) ?? false

    /// Accepts a library from 7.76 on, with TLS, HTTP/2 and name look-ups that block no thread.
    private static func load() -> Result<CurlLibrary, CurlUnavailable> {
      if let failure = curlShimLoad() {
        return .failure(CurlUnavailable(description: String(cString: failure)))
      }
      guard let found = curlShimVersion()?.pointee else {
        return .failure(CurlUnavailable(description: "libcurl does not tell its version"))
      }
      let names = [found.text, found.tls].compactMap { $0.map { String(cString: $0) } }
      let text = (["libcurl"] + names).joined(separator: " ")
      let needed = curlFeatureTLS | curlFeatureHTTP2 | curlFeatureAsynchronousLookup
      guard found.number >= 0x07_4C_00, Int(found.features) & needed == needed else {
        return .failure(
          CurlUnavailable(description: "\(text) is older than 7.76, or lacks TLS, HTTP/2 or asynchronous look-ups"))
      }
      return .success(
        CurlLibrary(
          description: text, hasPrerequest: found.number >= 0x07_50_00, raisesPipeSignal: found.number < 0x07_57_00))
    }
  }

  /// Why `CurlSession` can't be used here.
  struct CurlUnavailable: Error, CustomStringConvertible {
    let description: String
  }
#endif
