import Dispatch
import Foundation
import Testing
import WebServicesTesting

@testable import WebServices

@Suite("Requests that are equal")
struct CoalescerTests {
  private final class Member: Sendable {
    let name: String

    init(_ name: String) {
      self.name = name
    }
  }

  private let coalescer = Coalescer<String, Member>()

  private func join(_ key: String, as name: String) -> Coalescer<String, Member>.Membership {
    coalescer.join(key, as: Member(name))
  }

  /// What is left behind, in words.
  private func leave(_ membership: Coalescer<String, Member>.Membership) -> String {
    switch coalescer.leave(membership) {
    case .others: "others"
    case .nobody(let opener): "nobody, opened by \(opener.name)"
    case .nothing: "nothing"
    }
  }

  @Test("share an exchange, whose outcome is for all who have joined")
  func shared() {
    let first = join("a", as: "first")
    let other = join("b", as: "other")
    let members = ["second", "third", "fourth"].map { join("a", as: $0) }
    #expect(first.isFirst)
    #expect(other.isFirst)
    #expect(members.allSatisfy { !$0.isFirst })
    #expect(coalescer.count == 2)
    #expect(coalescer.end(first).map(\.name) == ["second", "third", "fourth"])
    #expect(coalescer.end(first).isEmpty)
    #expect(coalescer.end(other).isEmpty)
    #expect(coalescer.count == 0)
  }

  @Test("open another exchange once the one is over, which the first has no part in")
  func late() {
    let first = join("a", as: "first")
    _ = coalescer.end(first)
    let second = join("a", as: "second")
    _ = join("a", as: "third")
    #expect(second.isFirst)
    #expect(leave(first) == "nothing")
    #expect(coalescer.end(first).isEmpty)
    #expect(coalescer.end(second).map(\.name) == ["third"])
  }

  @Test("leave one by one, and the last ends the exchange of the one that opened it")
  func leaving() {
    let first = join("a", as: "first")
    let second = join("a", as: "second")
    #expect(leave(first) == "others")
    #expect(leave(first) == "nothing")
    #expect(leave(second) == "nobody, opened by first")
    #expect(leave(second) == "nothing")
    #expect(coalescer.end(first).isEmpty)
    #expect(coalescer.count == 0)
  }

  @Test("go on when one of them leaves")
  func others() {
    let first = join("a", as: "first")
    let second = join("a", as: "second")
    _ = join("a", as: "third")
    #expect(leave(second) == "others")
    #expect(coalescer.end(first).map(\.name) == ["third"])
    #expect(leave(first) == "nothing")
  }

  @Test("don't join an exchange that its last member has left")
  func abandoned() {
    let first = join("a", as: "first")
    #expect(leave(first) == "nobody, opened by first")
    let second = join("a", as: "second")
    #expect(second.isFirst)
    #expect(coalescer.end(first).isEmpty)
    #expect(coalescer.count == 1)
  }

  @Test("are each told or gone, once, on whatever threads")
  func threads() async {
    let coalescer = coalescer
    let (told, gone) = (Collector<String>(), Collector<String>())
    await concurrently(8000) { index in
      let membership = coalescer.join("\(index % 3)", as: Member("\(index)"))
      if index % 2 == 0 {
        if case .nothing = coalescer.leave(membership) {} else { gone.append("\(index)") }
      }
      if membership.isFirst {
        // Who opened it, and has not left, is told by itself.
        for member in coalescer.end(membership) { told.append(member.name) }
        if index % 2 == 1 { told.append("\(index)") }
      }
    }
    let all = told.elements + gone.elements
    #expect(Set(all).count == all.count)
    // Nobody who stays is forgotten.
    #expect(told.elements.count { (Int($0) ?? 0) % 2 == 1 } == 4000)
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
    #expect(try key != self.key { $0.headers["Host"] = "other.example.com" })
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
    #expect(try key { $0.destination = .receiver(ForgetfulReceiver()) } == nil)
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
