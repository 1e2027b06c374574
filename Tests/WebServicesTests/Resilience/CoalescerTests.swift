import Dispatch
import Foundation
import Testing
import WebServicesTesting

@testable import WebServices

/// Takes an outcome with a closure, and ends the exchange that it has opened with another one.
private final class ClosureMember: CoalescerMember {
  private let completion: @Sendable (Int) -> Void
  private let cancellation = Locked<(@Sendable () -> Void)?>(nil)

  init(completion: @escaping @Sendable (Int) -> Void) {
    self.completion = completion
  }

  func keep(_ cancellation: @escaping @Sendable () -> Void) { self.cancellation.withLock { $0 = cancellation } }
  func take(_ output: Int, isFirst: Bool) { completion(output) }
  func stop() { cancellation.withLock { $0 }?() }
}

extension Coalescer<String, ClosureMember> {
  /// Starts the exchange where there is none.
  fileprivate func join(
    _ key: String, completion: @escaping @Sendable (Int) -> Void,
    start: (@escaping @Sendable (Int) -> Void) -> @Sendable () -> Void
  ) -> Membership {
    let member = ClosureMember(completion: completion)
    let membership = join(key, as: member)
    if membership.isFirst { member.keep(start { membership.end(with: $0) }) }
    return membership
  }
}

@Suite("Requests that are equal")
struct CoalescerTests {
  /// Exchanges that end when the test says so.
  private final class Exchanges: Sendable {
    private let completions = Locked<[@Sendable (Int) -> Void]>([])
    let cancelled = Locked(0)

    var count: Int { completions.withLock { $0.count } }

    func start(_ completion: @escaping @Sendable (Int) -> Void) -> @Sendable () -> Void {
      completions.withLock { $0.append(completion) }
      return { [self] in cancelled.withLock { $0 += 1 } }
    }

    func end(_ index: Int, with output: Int) {
      completions.withLock { $0[index] }(output)
    }
  }

  private let coalescer = Coalescer<String, ClosureMember>()
  private let exchanges = Exchanges()
  private let outputs = Collector<String>()

  private func join(_ key: String, as name: String) -> Coalescer<String, ClosureMember>.Membership {
    coalescer.join(key, completion: { [outputs] in outputs.append("\(name) \($0)") }, start: exchanges.start)
  }

  @Test("share an exchange, and each has its own completion")
  func shared() {
    _ = join("a", as: "first")
    _ = join("b", as: "other")
    _ = join("a", as: "second")
    #expect(exchanges.count == 2)
    exchanges.end(0, with: 7)
    exchanges.end(0, with: 8)
    #expect(outputs.elements == ["first 7", "second 7"])
    exchanges.end(1, with: 9)
    #expect(outputs.elements == ["first 7", "second 7", "other 9"])
    #expect(coalescer.count == 0)
  }

  @Test("start anew once the exchange is over")
  func late() {
    _ = join("a", as: "first")
    exchanges.end(0, with: 1)
    _ = join("a", as: "second")
    #expect(exchanges.count == 2)
    exchanges.end(0, with: 5)
    exchanges.end(1, with: 2)
    #expect(outputs.elements == ["first 1", "second 2"])
  }

  @Test("are cancelled one by one, and the exchange with the last")
  func cancelled() {
    let first = join("a", as: "first")
    let second = join("a", as: "second")
    #expect(first.cancel())
    #expect(!first.cancel())
    #expect(exchanges.cancelled.withLock { $0 } == 0)
    #expect(second.cancel())
    #expect(exchanges.cancelled.withLock { $0 } == 1)
    exchanges.end(0, with: 1)
    #expect(outputs.elements.isEmpty)
    #expect(coalescer.count == 0)
  }

  @Test("go on when one of them is cancelled")
  func others() {
    let first = join("a", as: "first")
    let second = join("a", as: "second")
    first.cancel()
    exchanges.end(0, with: 1)
    #expect(outputs.elements == ["second 1"])
    #expect(!second.cancel())
    #expect(exchanges.cancelled.withLock { $0 } == 0)
  }

  @Test("don't join an exchange that its last member has left")
  func abandoned() {
    join("a", as: "first").cancel()
    _ = join("a", as: "second")
    #expect(exchanges.count == 2)
    exchanges.end(0, with: 1)
    #expect(outputs.elements.isEmpty)
    exchanges.end(1, with: 2)
    #expect(outputs.elements == ["second 2"])
  }

  @Test("are answered where the exchange ends at once")
  func atOnce() {
    let membership = coalescer.join(
      "a", completion: { [outputs] in outputs.append("\($0)") },
      start: { completion in
        completion(3)
        return { [exchanges] in exchanges.cancelled.withLock { $0 += 1 } }
      })
    #expect(!membership.cancel())
    #expect(outputs.elements == ["3"])
    #expect(exchanges.cancelled.withLock { $0 } == 0)
    #expect(coalescer.count == 0)
  }

  @Test("may join while the exchange is being started, and end it all the same")
  func joinedWhileStarting() {
    let inner = Locked<Coalescer<String, ClosureMember>.Membership?>(nil)
    let outer = coalescer.join(
      "a", completion: { _ in },
      start: { [coalescer, exchanges] _ in
        let second = coalescer.join("a", completion: { _ in }, start: { _ in {} })
        inner.withLock { $0 = second }
        return { exchanges.cancelled.withLock { $0 += 1 } }
      })
    outer.cancel()
    #expect(exchanges.cancelled.withLock { $0 } == 0)
    inner.withLock { $0 }?.cancel()
    #expect(exchanges.cancelled.withLock { $0 } == 1)
  }

  @Test("are each answered once or cancelled, on whatever threads")
  func threads() async {
    let coalescer = coalescer
    let ended = Collector<Int>()
    await concurrently(8000) { index in
      let membership = coalescer.join(
        "\(index % 3)", completion: { _ in ended.append(index) },
        start: { completion in
          if index % 5 == 0 { completion(0) } else { DispatchQueue.global().async { completion(1) } }
          return {}
        })
      if index % 2 == 0, membership.cancel() { ended.append(index) }
    }
    await ended.waitForElements(8000)
    #expect(ended.elements.sorted() == Array(0..<8000))
    #expect(coalescer.count == 0)
  }
}

@Suite("What coalesces requests")
struct CoalescingKeyTests {
  private func key(_ change: (inout TransportRequest) -> Void = { _ in }) throws -> CoalescingKey? {
    let url = try #require(URL(string: "https://api.example.com/cities?page=1"))
    var request = TransportRequest(
      url: url, headers: ["Authorization": "Bearer token-of-mine", "Accept": "text/plain"])
    change(&request)
    return CoalescingKey(request)
  }

  @Test("is the whole of what goes to the server, but for the case of names")
  func equal() throws {
    let key = try key()
    #expect(key != nil)
    #expect(try key == self.key { $0.headers = ["authorization": "Bearer token-of-mine", "ACCEPT": "text/plain"] })
    #expect(try key == self.key { $0.timeouts.whole = 5 })
    #expect(try key != self.key { $0.headers["Authorization"] = "Bearer token-of-another" })
    #expect(try key != self.key { $0.headers["Authorization"] = nil })
    #expect(try key != self.key { $0.headers["Accept"] = "text/html" })
    #expect(try key != self.key { $0.method = .head })
    #expect(try key != self.key { $0.destination = .memory(limit: 5) })
    let other = try #require(URL(string: "https://api.example.com/cities?page=2"))
    #expect(try key != self.key { $0.url = other })
  }

  @Test("is there only for requests that read, have no body, and collect their answer")
  func none() throws {
    for method in [HTTPMethod.post, .put, .delete, .patch] {
      #expect(try key { $0.method = method } == nil)
    }
    #expect(try key { $0.body = .data(Data("x".utf8)) } == nil)
    let file = URL(fileURLWithPath: "/dev/null")
    #expect(try key { $0.destination = .file(file) } == nil)
    #expect(try key { $0.onProgress = { _ in } } == nil)
  }

  @Test("tells no secret")
  func secrets() throws {
    let key = try #require(try key())
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("token-of-mine"))
  }
}
