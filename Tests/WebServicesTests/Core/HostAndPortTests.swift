import Foundation
import Testing

@testable import WebServices

@Suite("What circuits and limits are kept for")
struct HostAndPortTests {
  @Test(
    "is the host in lower case, with the port where one is written",
    arguments: [
      ("https://api.example.com/v1/jokes?x=https://other/", "api.example.com"),
      ("http://API.Example.com:8080", "api.example.com:8080"),
      ("https://user:word@h.example#top", "h.example"),
      ("https://h.example?query@other", "h.example"),
      ("http://[::1]:8080/a", "[::1]:8080"),
      ("path/only", ""),
    ])
  func name(url: String, expected: String) throws {
    #expect(try #require(URL(string: url)).absoluteString.hostAndPort == expected)
  }

  @Test(
    "is found alike with a base URL that goes there, elsewhere, or nowhere",
    arguments: [
      nil, "https://api.example.com", "https://API.example.com:8080/v1?x=1", "http://api.example.com/", "path/only",
    ])
  func reader(base: String?) throws {
    let base = try base.map { try #require(URL(string: $0)) }
    let reader = HostReader(base: RequestURL.base(base))
    for (address, host) in [
      ("https://api.example.com/v1/jokes", "api.example.com"),
      ("https://API.example.com:8080/v1/jokes", "api.example.com:8080"),
      ("https://api.example.com@evil.example/v1", "evil.example"),
      ("https://api.example.com.evil.example/", "api.example.com.evil.example"),
      ("https://api.example.com:8080/", "api.example.com:8080"), ("https://api.example.com", "api.example.com"),
    ] {
      #expect(reader.host(of: address) == host)
    }
  }
}
