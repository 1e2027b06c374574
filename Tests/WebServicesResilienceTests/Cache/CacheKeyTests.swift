@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct CacheKeyTests {
  @Test(
    arguments: [
      ("https://api.example.com/a?b=c", "https://api.example.com/a?b=c"),
      ("HTTPS://API.example.COM/A?B=C", "https://api.example.com/A?B=C"),
      ("https://api.example.com:443/a", "https://api.example.com/a"),
      ("http://api.example.com:80/a", "http://api.example.com/a"),
      ("http://api.example.com:443/a", "http://api.example.com:443/a"),
      ("https://api.example.com", "https://api.example.com/"),
      ("https://api.example.com?q=1", "https://api.example.com/?q=1"),
      ("https://api.example.com/a#part", "https://api.example.com/a"),
      ("https://api.example.com/a%2Fb", "https://api.example.com/a%2Fb"),
      ("https://User@API.example.com/", "https://api.example.com/"),
      ("https://[::1]:443/", "https://[::1]/"),
      ("https://[2001:db8::443]/", "https://[2001:db8::443]/"),
      ("https://a.example/?u=http://B.example:80/", "https://a.example/?u=http://B.example:80/"),
    ])
  func urlIsNormalizedSafely(url: String, expected: String) {
    #expect(
      CacheLookup(cityRequest(.get, testURL(url)), identity: nil, policy: .useCache, time: WallClock.start).key.url
        == expected)
  }

  @Test func allCredentialsMakeTheIdentity() {
    func identity(_ headers: HTTPHeaders, _ names: [String] = []) -> String? {
      CacheKey.identity(of: cityRequest(headers: headers), credentialNames: names)
    }
    expectEqual(identity(["Accept": "text/html"]), nil)
    let one = identity(["Authorization": "Bearer one-token"])
    #expect(one != nil)
    expectEqual(identity(["authorization": "Bearer one-token", "Accept": "text/html"]), one)
    #expect(identity(["Authorization": "Bearer other-token"]) != one)
    #expect(identity(["Cookie": "Bearer one-token"]) != one)
    #expect(identity(["Authorization": "Bearer one-token", "Cookie": "a=b"]) != one)
    #expect(identity(["Host": "a.example"]) != identity(["Host": "b.example"]))
    #expect(identity(["X-Unknown": "one"]) != nil)
    #expect(identity(["X-Unknown": "one"]) != identity(["X-Unknown": "two"]))
    #expect(identity(["Accept": "text/html"], ["accept"]) != nil)
    expectEqual(identity(["Cookie": "a", "api-token": "b"]), identity(["api-token": "b", "Cookie": "a"]))
  }
}
