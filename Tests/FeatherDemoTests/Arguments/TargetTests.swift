import Foundation
import Testing

@testable import FeatherDemo

@Suite struct TargetTests {
  @Test func anAddressNamesItsServer() throws {
    let target = try #require(Target("HTTPS://api.example.com:8443/v1/a%20b?c=d"))
    #expect(target.text == "HTTPS://api.example.com:8443/v1/a%20b?c=d")
    #expect(target.origin?.absoluteString == "HTTPS://api.example.com:8443")
    #expect(target.path == "/v1/a b")
  }

  @Test func aPathBelongsToTheDemoServer() {
    for (text, path) in [
      ("items", "/items"), ("/items?a=b:c", "/items"), ("?a=http://b", "/"), ("a/b:c", "/a/b:c"), ("a%20b", "/a b"),
    ] {
      let target = Target(text)
      #expect(target == .path(text))
      #expect(target?.path == path)
      #expect(target?.origin == nil)
    }
  }

  @Test(arguments: ["", "a\nb", "localhost:8080/a", "ftp://host", "http://", "http:/a", "http://host:0/", "://a"])
  func invalidTargetsAreRefused(_ text: String) {
    #expect(Target(text) == nil)
  }
}
