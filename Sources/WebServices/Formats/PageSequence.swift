import Foundation

/// The pages of a collection, requested one after the other as you need them.
///
/// ```swift
/// let pages = service.pages(of: Request("issues", query: ["state": "open"]), as: [Issue].self)
/// for try await page in pages { … }
/// let issues = try await pages.collect().flatMap { $0 }
/// ```
///
/// Every failure is a ``WebServiceError``. If a server names a page twice or never ends, the sequence fails with kind
/// `.invalidResponse` and an underlying ``PagingError``. Each iteration starts from the first page.
///
/// The pages of one iteration belong to one user. After a sign-out, a page that needs a token fails as cancelled. After
/// ``JsonWebService/resetSharedInstance(session:tokenManager:reachability:configuration:)``, every page fails as
/// cancelled.
///
/// The article <doc:ReadingPages> has samples.
public struct PageSequence<Page: Sendable>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Page

  let service: any JsonWebServiceable
  let first: Request
  /// The origin of the first page; `nil` if only a fake knows its base URL.
  let origin: String?
  let parser: ResponseParser<(response: WebServiceResponse, value: Page)>
  let paging: Paging<Page>
  let maximumPageCount: Int

  /// Starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// All pages.
  ///
  /// - Throws: a ``WebServiceError``.
  public func collect() async throws(WebServiceError) -> [Page] {
    var pages: [Page] = []
    var iterator = makeAsyncIterator()
    while let page = try await iterator.next() { pages.append(page) }
    return pages
  }

  /// Goes from page to page.
  public struct Iterator: AsyncIteratorProtocol {
    /// The parts of a request by which a page is recognized. A request with a body is never taken for another one.
    private struct Position: Hashable {
      let path: String
      let queryItems: [URLQueryItem]
      let headers: HTTPHeaders
    }

    private let sequence: PageSequence
    /// All pages belong to the user for whom the first page was requested.
    private let work = RequestWork.currentOrNew
    /// The request of the next page, or the error in its place; `nil` at the end and after an error.
    private var upcoming: Result<Request, PagingError>?
    private var pageCount = 0
    /// The URL of the last page, which names the next one; before the first page, its path.
    private var lastURL: String
    /// All positions so far, because a server may lead through several pages in a circle.
    private var seen: Set<Position> = []

    init(sequence: PageSequence) {
      self.sequence = sequence
      upcoming = .success(sequence.first)
      lastURL = sequence.first.path
    }

    /// The next page; `nil` at the end, and after an error. A page whose successor has no valid position is returned,
    /// and the next call throws.
    ///
    /// - Throws: a ``WebServiceError``.
    public mutating func next() async throws(WebServiceError) -> Page? {
      let request: Request
      do throws(PagingError) {
        // Taken, because every error ends the sequence.
        guard let next = try upcoming.take()?.get() else { return nil }
        try check(next)
        request = next
      } catch {
        throw WebServiceError(
          .invalidResponse, phase: .read, method: sequence.first.method, url: lastURL, underlying: error)
      }
      if Task.isCancelled { throw WebServiceError(.cancelled, message: "the Swift task was cancelled") }
      let (response, page) = try await work.perform { [sequence] () async throws(WebServiceError) in
        try await sequence.service.sendRequest(request, parser: sequence.parser)
      }
      lastURL = response.urlForm.text
      do throws(PagingError) {
        upcoming = try sequence.paging.next(page, response, request, sequence.origin).map { .success($0) }
      } catch {
        upcoming = .failure(error)
      }
      return page
    }

    private mutating func check(_ request: Request) throws(PagingError) {
      pageCount += 1
      guard pageCount <= sequence.maximumPageCount else { throw .tooManyPages }
      let position = Position(path: request.path, queryItems: request.queryItems, headers: request.headers)
      guard request.body != nil || seen.insert(position).inserted else { throw .repeatedPosition }
    }
  }
}

extension JsonWebServiceable {
  /// The pages of a collection, with a parser for each page. Every page is requested as the first one is: with its base
  /// URL, query, header fields, authorization and options.
  ///
  /// - Parameters:
  ///   - requestData: the request for the first page.
  ///   - parser: makes a page of its response.
  ///   - paging: names the request of the next page; by default the one of the `Link` field with the relation `next`.
  ///   - maximumPageCount: the most pages to request.
  public func pages<Page: Sendable>(
    of requestData: some WebServiceRequestData, parser: ResponseParser<Page>, by paging: Paging<Page> = .links,
    maximumPageCount: Int = 1000
  ) -> PageSequence<Page> {
    var first = Request(requestData)
    let engine = (self as? JsonWebService)?.engine
    let encoder = engine?.configuration.queryEncoder ?? QueryEncoder()
    // Written out, so that the next page can replace an item. A query that can't be encoded fails the first request.
    if let query = first.query, let items = try? encoder.encode(query) {
      first.queryItems += items
      first.query = nil
    }
    let origin = try? (try? HTTPURL(first.path)) ?? engine?.base?.get()
    return PageSequence(
      service: self, first: first, origin: origin?.origin.text, parser: parser.withResponse, paging: paging,
      maximumPageCount: maximumPageCount)
  }

  /// The pages of a collection in JSON, as the form with a parser requests them.
  ///
  /// - Parameters:
  ///   - requestData: the request for the first page.
  ///   - type: the model of a page. In a module of the main actor, declare it `nonisolated`.
  ///   - paging: names the request of the next page; by default the one of the `Link` field with the relation `next`.
  ///   - maximumPageCount: the most pages to request.
  public func pages<Page: Decodable & Sendable>(
    of requestData: some WebServiceRequestData, as type: Page.Type = Page.self, by paging: Paging<Page> = .links,
    maximumPageCount: Int = 1000
  ) -> PageSequence<Page> {
    pages(of: requestData, parser: .json(), by: paging, maximumPageCount: maximumPageCount)
  }
}
