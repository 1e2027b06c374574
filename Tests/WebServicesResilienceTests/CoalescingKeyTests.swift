@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct CoalescingKeyTests {
  private func key(_ change: (inout TransportRequest) -> Void = { _ in }) throws -> CoalescingKey? {
    let url = try #require(URL(string: "https://api.example.com/cities?page=1"))
    var request = TransportRequest(
      url: url, headers: ["Authorization": "Bearer token-of-mine", "Accept": "text/plain"])
    change(&request)
    return CoalescingKey(request)
  }

  @Test func keyCoversEverythingButTheCaseOfNames() throws {
    let key = try key()
    #expect(key != nil)
    #expect(try key == self.key { $0.headers = ["authorization": "Bearer token-of-mine", "ACCEPT": "text/plain"] })
    #expect(try key == self.key { $0.timeouts.whole = 5 })
    #expect(try key != self.key { $0.timeouts.connect = 5 })
    #expect(try key != self.key { $0.timeouts.idle = 5 })
    #expect(try key != self.key { $0.headers["Authorization"] = "Bearer token-of-another" })
    #expect(try key != self.key { $0.headers["Authorization"] = nil })
    #expect(try key != self.key { $0.headers["Accept"] = "text/html" })
    #expect(try key != self.key { $0.headers["Host"] = "other.example.com" })
    #expect(try key != self.key { $0.method = .head })
    #expect(try key != self.key { $0.responseLimit = 5 })
    let other = try #require(URL(string: "https://api.example.com/cities?page=2"))
    #expect(try key != self.key { $0.url = other })
    #expect(try key != self.key { $0.needsNewConnection = true })
    #expect(try key != self.key { $0.context.isRetry = true })
    #expect(try key != self.key { $0.context.isOffline = true })
  }

  private enum TenantKey: RequestOptions.Key {
    static var defaultValue: String? { nil }
  }

  private enum SpanKey: RequestOptions.Key {
    static var defaultValue: Int { 0 }
    static var changesResponse: Bool { false }
  }

  private enum OpaqueKey: RequestOptions.Key {
    static var defaultValue: @Sendable () -> Void { {} }
  }

  @Test func keyCoversTheOptionsThatChangeTheResponse() throws {
    func key(_ set: (inout RequestOptions) -> Void) throws -> CoalescingKey? { try self.key { set(&$0.options) } }
    let plain = try key { _ in }
    #expect(try plain != key { $0.cachePolicy = .onlyIfCached })
    #expect(try plain != key { $0.connectivity = .wait(upTo: 1) })
    #expect(try plain != key { $0[TenantKey.self] = "a" })
    #expect(try key { $0[TenantKey.self] = "a" } != key { $0[TenantKey.self] = "b" })
    #expect(try key { $0[OpaqueKey.self] = {} } != key { $0[OpaqueKey.self] = {} })
    #expect(try key { $0[TenantKey.self] = "a" } == key { $0[TenantKey.self] = "a" })
    #expect(try plain == key { $0[TenantKey.self] = nil })
    #expect(
      try plain
        == key { options in
          options[SpanKey.self] = 5
          options.timeout = 5
          options.deadline = 5
          options.decoder = JSONDecoder()
          options.retry = .standard
          options.priority = .high
          options.validators = [.successfulStatus]
        })
  }

  @Test func onlySafeRequestsWithoutBodyHaveAKey() throws {
    for method in [HTTPMethod.post, .put, .delete, .patch] {
      #expect(try key { $0.method = method } == nil)
    }
    #expect(try key { $0.body = .data(Data("x".utf8)) } == nil)
    #expect(try key { $0.receiver = ForgetfulReceiver() } == nil)
    #expect(try key { $0.onProgress = { _ in } } == nil)
  }
}
