@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CoalescingKeyTests {
  private func key(_ change: (inout TransportRequest) -> Void = { _ in }) -> CoalescingKey? {
    var request = TransportRequest(
      url: testURL("https://api.example.com/cities?page=1"),
      headers: ["Authorization": "Bearer token-of-mine", "Accept": "text/plain"])
    change(&request)
    return CoalescingKey(request)
  }

  @Test func keyCoversEverythingButTheCaseOfNames() {
    let key = key()
    #expect(key != nil)
    expectEqual(key, self.key { $0.headers = ["authorization": "Bearer token-of-mine", "ACCEPT": "text/plain"] })
    let different: [(inout TransportRequest) -> Void] = [
      { $0.timeouts.connect = 5 }, { $0.timeouts.idle = 5 },
      { $0.headers["Authorization"] = "Bearer token-of-another" }, { $0.headers["Authorization"] = nil },
      { $0.headers["Accept"] = "text/html" }, { $0.headers["Host"] = "other.example.com" }, { $0.method = .head },
      { $0.responseLimit = 5 }, { $0.url = testURL("https://api.example.com/cities?page=2") },
      { $0.needsNewConnection = true }, { $0.context.isRetry = true }, { $0.context.isOffline = true },
      { $0.context.lastChange = 1 }, { $0.followsRedirects = true },
    ]
    for (index, change) in different.enumerated() { #expect(key != self.key(change), "change \(index)") }
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

  @Test func keyCoversTheOptionsThatChangeTheResponse() {
    func key(_ set: (inout RequestOptions) -> Void) -> CoalescingKey? { self.key { set(&$0.options) } }
    let plain = key { _ in }
    #expect(plain != key { $0.cachePolicy = .onlyIfCached })
    #expect(plain != key { $0.connectivity = .wait(upTo: 1) })
    #expect(plain != key { $0[TenantKey.self] = "a" })
    #expect(key { $0[TenantKey.self] = "a" } != key { $0[TenantKey.self] = "b" })
    #expect(key { $0[OpaqueKey.self] = {} } != key { $0[OpaqueKey.self] = {} })
    #expect(key { $0[TenantKey.self] = "a" } == key { $0[TenantKey.self] = "a" })
    #expect(plain == key { $0[TenantKey.self] = nil })
    #expect(
      plain
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

  @Test func onlySafeRequestsWithoutBodyHaveAKey() {
    let changes: [(inout TransportRequest) -> Void] = [
      { $0.method = .post }, { $0.method = .put }, { $0.method = .delete }, { $0.method = .patch },
      { $0.body = .data(Data("x".utf8)) }, { $0.receiver = SlowReceiver(isLetGo: true) }, { $0.onProgress = { _ in } },
    ]
    for change in changes { #expect(key(change) == nil) }
  }
}
