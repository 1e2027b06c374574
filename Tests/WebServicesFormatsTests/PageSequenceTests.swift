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

  /// A server with the numbers from 0 that sends at most `most` numbers per page.
  private func slice(_ range: PageRange, of count: Int, most: Int = .max) -> [Int] {
    let start = min(range.offset, count)
    return Array(start..<min(count, start + min(range.limit, most)))
  }

  @Test(arguments: [0, 1, 9, 10, 11, 20, 25])
  func offsetsEndAtTheTotal(count: Int) async throws {
    let pages = PageSequence.offsets(limit: 10, items: \Page.items, total: \.total) { range in
      asked.append("\(range.offset)+\(range.limit)")
      return Page(items: slice(range, of: count), total: count)
    }
    #expect(try await pages.elements(\.items).collect() == Array(0..<count))
    #expect(asked.elements == stride(from: 0, to: max(count, 1), by: 10).map { "\($0)+10" })
  }

  @Test func offsetsWithoutTotalEndAtAnEmptyPage() async throws {
    let pages = PageSequence.offsets(from: 5, limit: 100, items: \Page.items) { range in
      asked.append("\(range.offset)")
      return Page(items: slice(range, of: 25, most: 10))
    }
    #expect(try await pages.collect().map(\.items.count) == [10, 10, 0])
    #expect(asked.elements == ["5", "15", "25"])
  }

  @Test func offsetsWithWrongTotalEndAtAnEmptyPage() async throws {
    let pages = PageSequence.offsets(limit: 10, items: \Page.items, total: \.total) { range in
      Page(items: slice(range, of: 12), total: 1000)
    }
    #expect(try await pages.elements(\.items).collect().count == 12)
  }

  @Test func numbersEndAtTheLastOrAnEmptyPage() async throws {
    let withLast = PageSequence.numbers(items: \Page.items, last: { _ in 3 }) { number in
      Page(items: [number])
    }
    #expect(try await withLast.elements(\.items).collect() == [1, 2, 3])
    let withoutLast = PageSequence.numbers(from: 0, items: \Page.items) { number in
      Page(items: number < 4 ? [number] : [])
    }
    #expect(try await withoutLast.elements(\.items).collect() == [0, 1, 2, 3])
  }

  @Test(arguments: [nil, ""] as [String?])
  func cursorsEndWithoutOrWithAnEmptyCursor(end: String?) async throws {
    let pages = PageSequence.cursors(next: \Page.next) { cursor in
      asked.append(cursor ?? "first")
      let number = cursor.flatMap { Int($0) } ?? 0
      return Page(items: [number], next: number < 3 ? "\(number + 1)" : end)
    }
    #expect(try await pages.elements(\.items).collect() == [0, 1, 2, 3])
    #expect(asked.elements == ["first", "1", "2", "3"])
  }

  @Test func linksAreFollowedToTheEnd() async throws {
    let url = try #require(URL(string: "https://api.example.com/items"))
    let pages = PageSequence.links(from: url, next: { $0.link(relation: "next") }) { url in
      let number = url.query.flatMap { Int($0.dropFirst(2)) } ?? 1
      let headers: HTTPHeaders = number < 3 ? ["Link": "<?p=\(number + 1)>; rel=\"next\""] : [:]
      return WebServiceResponse(statusCode: 200, headers: headers, url: url, body: Data("\(number)".utf8))
    }
    #expect(try await pages.collect().map { String(decoding: $0.body, as: UTF8.self) } == ["1", "2", "3"])
  }

  @Test func linksStayAtTheOriginByDefault() async throws {
    let first = try #require(URL(string: "https://api.example.com/1"))
    for other in ["https://evil.example/2", "http://api.example.com/2", "https://api.example.com:8443/2"] {
      let second = try #require(URL(string: other))
      let next: @Sendable (URL) -> URL? = { $0 == first ? second : nil }
      // The page that has the link is at the first origin.
      var iterator = PageSequence.links(from: first, next: next, fetch: { $0 }).makeAsyncIterator()
      #expect(try await iterator.next() == first)
      await expectPagingError(PagingError(.otherOrigin, pageCount: 1)) { _ = try await iterator.next() }
      #expect(try await iterator.next() == nil)
      let all = PageSequence.links(from: first, next: next, allowsOtherOrigins: true, fetch: { $0 })
      #expect(try await all.collect() == [first, second])
    }
  }

  @Test func endlessPagesStopAtTheBound() async throws {
    let pages = PageSequence.numbers(items: \Page.items, maximumPageCount: 5) { Page(items: [$0]) }
    var iterator = pages.elements(\.items).makeAsyncIterator()
    for number in 1...5 { #expect(try await iterator.next() == number) }
    await expectPagingError(PagingError(.tooManyPages, pageCount: 5)) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
    let usual = PageSequence.cursors(next: \Page.next) { cursor in
      Page(items: [], next: "\((cursor.flatMap { Int($0) } ?? 0) + 1)")
    }
    await expectPagingError(PagingError(.tooManyPages, pageCount: 1000)) { _ = try await usual.collect() }
  }

  @Test func pagesUpToTheBoundAreAllowed() async throws {
    let pages = PageSequence.numbers(items: \Page.items, last: { _ in 5 }, maximumPageCount: 5) { Page(items: [$0]) }
    #expect(try await pages.collect().count == 5)
  }

  @Test func circularPagesAreStopped() async throws {
    let pages = PageSequence.cursors(next: \Page.next) { cursor in
      asked.append(cursor ?? "first")
      return Page(items: [], next: cursor == "a" ? "b" : "a")
    }
    await expectPagingError(PagingError(.repeatedPosition, pageCount: 3)) { _ = try await pages.collect() }
    #expect(asked.elements == ["first", "a", "b"])
    let url = try #require(URL(string: "https://api.example.com/1"))
    await expectPagingError(PagingError(.repeatedPosition, pageCount: 1)) {
      _ = try await PageSequence.links(from: url, next: { $0 }, fetch: { $0 }).collect()
    }
  }

  @Test func repeatedPagesAreStopped() async throws {
    let offsets = PageSequence.offsets(limit: 2, items: \Page.items, total: { _ in 10 }) { _ in Page(items: [1, 2]) }
    await expectPagingError(PagingError(.repeatedPage, pageCount: 1)) { _ = try await offsets.collect() }
    let numbers = PageSequence.numbers(items: \Page.items) { _ in Page(items: [1, 2]) }
    await expectPagingError(PagingError(.repeatedPage, pageCount: 1)) { _ = try await numbers.collect() }
    let allowed = PageSequence.numbers(items: \Page.items, last: { _ in 3 }, allowsRepeatedPages: true) { _ in
      Page(items: [1, 2])
    }
    #expect(try await allowed.collect().count == 3)
  }

  @Test func incomparablePagesAreNeverRepeated() async throws {
    struct Opaque: Sendable {}
    let pages = PageSequence.numbers(items: { (page: [Opaque]) in page }, last: { _ in 3 }) { _ in [Opaque()] }
    #expect(try await pages.collect().count == 3)
  }

  @Test func pageErrorEndsTheSequence() async throws {
    let pages = PageSequence.numbers(items: \Page.items) { number in
      guard number < 3 else { throw WebServiceError(.statusCode(500)) }
      return Page(items: [number])
    }
    var iterator = pages.makeAsyncIterator()
    _ = try await iterator.next()
    _ = try await iterator.next()
    await #expect(throws: WebServiceError.self) { try await iterator.next() }
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

  @Test func statusBehindTheLastPageEndsTheSequence() async throws {
    let pages = PageSequence.numbers(items: \Page.items, endingOn: [404]) { number in
      guard number < 3 else { throw WebServiceError(.statusCode(404)) }
      return Page(items: [number])
    }
    #expect(try await pages.elements(\.items).collect() == [1, 2])
    let nothing = PageSequence.offsets(limit: 5, items: \Page.items, endingOn: [404]) { _ in
      throw WebServiceError(.statusCode(404))
    }
    let error = await #expect(throws: WebServiceError.self) { try await nothing.collect() }
    #expect(error?.kind == .statusCode(404))
  }

  @Test func errorOfTheAppIsBelowATypedError() async {
    struct Broken: Error {}
    let pages = PageSequence.numbers(items: \Page.items) { _ in throw Broken() }
    do {
      for try await _ in pages.elements(\.items) { Issue.record("there was an element") }
    } catch {
      #expect(error.kind == .unexpected && error.underlying(as: Broken.self) != nil)
    }
  }

  @Test func eachIterationStartsAnew() async throws {
    let pages = PageSequence(
      from: 0, next: { _, number in number < 4 ? number + 1 : nil },
      fetch: { number in number.isMultiple(of: 2) ? [number] : [] })
    #expect(try await pages.elements { $0 }.collect() == [0, 2, 4])
    var elements: [Int] = []
    for try await element in pages.elements({ $0 }) { elements.append(element) }
    #expect(elements == [0, 2, 4])
  }

  @Test func pagingErrorsDescribeThemselves() {
    #expect(
      PagingError(.repeatedPage, pageCount: 1).localizedDescription
        == "the server sent the same page twice (after 1 page)")
    #expect(PagingError(.tooManyPages, pageCount: 7).description.hasSuffix("(after 7 pages)"))
  }
}
