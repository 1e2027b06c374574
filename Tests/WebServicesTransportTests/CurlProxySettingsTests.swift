@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesHTTP
  @testable import WebServicesTransport

  struct CurlProxySettingsTests {
    @Test func environmentSetsTheProxy() {
      let settings = CurlProxySettings(
        .system,
        environment: ["HTTP_PROXY": "a", "https_proxy": "b", "HTTPS_PROXY": "c", "NO_PROXY": "d"])
      #expect(settings.plain == "a" && settings.secure == "b" && settings.exceptions == "d")
      let gateway = CurlProxySettings(
        .system, environment: ["HTTP_PROXY": "a", "REQUEST_METHOD": "GET"])
      expectEqual(gateway.plain, "")
      let all = CurlProxySettings(.system, environment: ["ALL_PROXY": "a", "http_proxy": ""])
      #expect(all.plain == "a" && all.secure == "a")
    }

    @Test func configuredProxyOverridesTheEnvironment() {
      let environment = ["http_proxy": "a", "no_proxy": "b"]
      expectEqual(CurlProxySettings(.none, environment: environment), CurlProxySettings(.none, environment: [:]))
      let fixed = CurlProxySettings(.url("c"), environment: environment)
      #expect(fixed.plain == "c" && fixed.secure == "c" && fixed.exceptions == "")
    }

    @Test func trustOptionsAreSet() {
      let environment = ["SSL_CERT_FILE": "a", "SSL_CERT_DIR": ""]
      expectEqual(CurlTrust(.system, environment: environment)?.file, "a")
      expectEqual(CurlTrust(.system, environment: environment)?.directory, nil)
      expectEqual(CurlTrust(.file("b"), environment: environment)?.file, "b")
      // Without the file, libcurl's default file isn't trusted: a trust without defaults.
      expectEqual(CurlTrust(.system, environment: ["SSL_CERT_DIR": "c"])?.directory, "c")
      expectEqual(CurlTrust(.system, environment: ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""]), nil)
      expectEqual(CurlTrust(.system, environment: [:], certificates: "d")?.file, "d")
      expectEqual(CurlTrust(.system, environment: ["SSL_CERT_DIR": "c"], certificates: "d")?.file, nil)
    }
  }
#endif
