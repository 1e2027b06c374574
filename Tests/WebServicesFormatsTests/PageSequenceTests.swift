import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices

@Suite struct PageSequenceTests {
  struct Page: Sendable, Equatable {
    var items: [Int]
    var total: Int?
    var next: String?
  }

  private let asked = Collector<String>()

  private func expectPagingError(
    _ error: PagingError, sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
  ) async {
    let thrown = await #expect(throws: WebServiceError.self, sourceLocation: sourceLocation) { try await work() }
    #expect(thrown?.kind == .invalidResponse, sourceLocation: sourceLocation)
    #expect(thrown?.underlying(as: PagingError.self) == error, sourceLocation: sourceLocation)
  }

  @Test(arguments: [0, 1, 9, 10, 11, 20, 25])
  func offsetsEndAtTheTotal(count: Int) async throws {
    let pages = PageSequence.offsets(items: \Page.items, total: \.total) { offset in
      asked.append("\(offset)")
      return Page(items: Array(offset..<min(count, offset + 10)), total: count)
    }
    #expect(try await pages.collect().flatMap(\.items) == Array(0..<count))
    #expect(asked.elements == stride(from: 0, to: max(count, 1), by: 10).map { "\($0)" })
  }

  @Test(arguments: [nil, 1000])
  func offsetsWithoutOrWithWrongTotalEndAtAnEmptyPage(total: Int?) async throws {
    let pages = PageSequence.offsets(from: 5, items: \Page.items, total: { _ in total }) { offset in
      Page(items: Array(offset..<min(25, offset + 10)))
    }
    #expect(try await pages.collect().map(\.items.count) == [10, 10, 0])
  }

  @Test func numbersEndAtTheLastOrAnEmptyPage() async throws {
    let withLast = PageSequence.numbers(items: \Page.items, last: { _ in 3 }) { Page(items: [$0]) }
    #expect(try await withLast.collect().flatMap(\.items) == [1, 2, 3])
    let withoutLast = PageSequence.numbers(from: 0, items: \Page.items) { Page(items: $0 < 4 ? [$0] : []) }
    #expect(try await withoutLast.collect().flatMap(\.items) == [0, 1, 2, 3])
  }

  @Test(arguments: [nil, ""] as [String?])
  func cursorsEndWithoutOrWithAnEmptyCursor(end: String?) async throws {
    let pages = PageSequence.cursors(next: \Page.next) { cursor in
      asked.append(cursor ?? "first")
      let number = cursor.flatMap { Int($0) } ?? 0
      return Page(items: [number], next: number < 3 ? "\(number + 1)" : end)
    }
    // Each iteration starts anew.
    for _ in 0..<2 { #expect(try await pages.collect().flatMap(\.items) == [0, 1, 2, 3]) }
    #expect(asked.elements == ["first", "1", "2", "3", "first", "1", "2", "3"])
  }

  @Test func linksStayAtTheOriginByDefault() async throws {
    let first = try #require(URL(string: "https://api.example.com/1"))
    for other in ["https://evil.example/2", "http://api.example.com/2", "https://api.example.com:8443/2"] {
      let second = try #require(URL(string: other))
      let next: @Sendable (URL) -> URL? = { $0 == first ? second : nil }
      // The page that has the link is at the first origin.
      var iterator = PageSequence.links(from: first, next: next, fetch: { $0 }).makeAsyncIterator()
      #expect(try await iterator.next() == first)
      await expectPagingError(.otherOrigin) { _ = try await iterator.next() }
      #expect(try await iterator.next() == nil)
      let all = PageSequence.links(from: first, next: next, allowsOtherOrigins: true, fetch: { $0 })
      #expect(try await all.collect() == [first, second])
    }
  }

  @Test func endlessPagesStopAtTheBound() async throws {
    let pages = PageSequence.numbers(items: \Page.items, maximumPageCount: 5) { Page(items: [$0]) }
    var iterator = pages.makeAsyncIterator()
    for number in 1...5 { #expect(try await iterator.next()?.items == [number]) }
    await expectPagingError(.tooManyPages) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
    let usual = PageSequence(from: 0, next: { $1 + 1 }, fetch: { $0 })
    await expectPagingError(.tooManyPages) { _ = try await usual.collect() }
    let exact = PageSequence.numbers(items: \Page.items, last: { _ in 5 }, maximumPageCount: 5) { Page(items: [$0]) }
    #expect(try await exact.collect().count == 5)
  }

  @Test func circularPagesAreStopped() async throws {
    let pages = PageSequence.cursors(next: \Page.next) { cursor in
      asked.append(cursor ?? "first")
      return Page(items: [], next: cursor == "a" ? "b" : "a")
    }
    await expectPagingError(.repeatedPosition) { _ = try await pages.collect() }
    #expect(asked.elements == ["first", "a", "b"])
    #expect(PagingError.repeatedPosition.localizedDescription.hasPrefix("the server names a page"))
  }

  @Test func errorOfTheAppEndsTheSequence() async throws {
    struct Broken: Error {}
    let pages = PageSequence.numbers(items: \Page.items) { number in
      guard number < 3 else { throw Broken() }
      return Page(items: [number])
    }
    var iterator = pages.makeAsyncIterator()
    for _ in 0..<2 { _ = try await iterator.next() }
    let error = await #expect(throws: WebServiceError.self) { try await iterator.next() }
    #expect(error?.kind == .unexpected && error?.underlying(as: Broken.self) != nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func cancelledTaskRequestsNoPage() async throws {
    let pages = PageSequence.numbers(items: \Page.items) { number in
      asked.append("\(number)")
      if number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
      return Page(items: [number])
    }
    let result = await Task { try await pages.collect() }.result
    let error = #expect(throws: WebServiceError.self) { try result.get() }
    #expect(error?.kind == .cancelled)
    #expect(asked.elements == ["1", "2"])
  }
}
