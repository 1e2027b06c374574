#if os(Linux)
  internal import CurlShim

  /// The libcurl that was found at run time. `found` loads it once for the process.
  struct CurlLibrary: Sendable {
    /// `major << 16 | minor << 8 | patch`.
    let version: UInt32
    /// The version and the TLS library, as text.
    let description: String
    let features: Features

    /// The abilities that older versions or some builds lack.
    struct Features: Sendable {
      /// Whether there is a callback before each request goes out on a connection (CURLOPT_PREREQFUNCTION, 7.80).
      var hasPrerequest: Bool
      /// Whether removing a transfer doesn't wait for its name look-up (CURLOPT_QUICK_EXIT, 7.87).
      var canLeaveLookup: Bool
      /// Whether a name look-up blocks no thread that drives libcurl.
      var hasAsynchronousLookup: Bool
      var hasTLS: Bool
      var hasHTTP2: Bool

      init(version: UInt32, bits: Int) {
        hasPrerequest = version >= 0x07_50_00
        canLeaveLookup = version >= 0x07_57_00
        hasAsynchronousLookup = bits & curlFeatureAsynchronousLookup != 0
        hasTLS = bits & curlFeatureTLS != 0
        hasHTTP2 = bits & curlFeatureHTTP2 != 0
      }
    }

    /// The oldest version that `CurlSession` uses: 7.68.
    static let oldestVersion: UInt32 = 0x07_44_00

    /// The library, or the reason why none can be used.
    static let found: Result<CurlLibrary, CurlUnavailable> = load()

    private static func load() -> Result<CurlLibrary, CurlUnavailable> {
      if let failure = curlShimLoad() {
        return .failure(CurlUnavailable(description: String(cString: failure)))
      }
      guard let found = curlShimVersion()?.pointee else {
        return .failure(CurlUnavailable(description: "libcurl does not tell its version"))
      }
      let version = found.number
      let names = [found.text, found.tls].compactMap { $0.map { String(cString: $0) } }
      let text = (["libcurl"] + names).joined(separator: " ")
      guard version >= oldestVersion else {
        return .failure(CurlUnavailable(description: "\(text) is older than 7.68"))
      }
      let features = Features(version: version, bits: Int(found.features))
      guard features.hasTLS else {
        return .failure(CurlUnavailable(description: "\(text) was built without TLS"))
      }
      return .success(CurlLibrary(version: version, description: text, features: features))
    }
  }

  /// Why `CurlSession` can't be used here.
  struct CurlUnavailable: Error, CustomStringConvertible {
    let description: String
  }
#endif
