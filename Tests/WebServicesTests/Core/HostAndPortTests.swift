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
}
