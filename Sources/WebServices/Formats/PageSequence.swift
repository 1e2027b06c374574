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
  let parser: ResponseParser<(response: WebServiceResponse, value: Page, request: RequestRun?)>
  let paging: Paging<Page>
  let pageLimit: Int

  /// Starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// All pages.
  ///
  /// - Parameter actor: the caller's actor. You don't pass it.
  /// - Throws: a ``WebServiceError``.
  public func collect(on actor: isolated (any Actor)? = #isolation) async throws(WebServiceError) -> [Page] {
    var pages: [Page] = []
    var iterator = makeAsyncIterator()
    while let page = try await iterator.next(isolation: actor) { pages.append(page) }
    return pages
  }

  /// Goes from page to page.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: PageSequence
    /// All pages belong to the user for whom the first page was requested.
    private let work = RequestWork()
    /// The request of the last page; `nil` before the first page and for a fake, whose base URL nobody knows.
    private var sent: RequestRun?
    /// The request of the next page, or the error in its place; `nil` at the end and after an error.
    private var upcoming: Result<Request, PagingError>?
    private var pageCount = 0
    /// Digests of all positions so far, because a server may lead through several pages in a circle, and name long
    /// ones.
    private var seen: Set<[UInt8]> = []

    init(sequence: PageSequence) {
      self.sequence = sequence
      upcoming = .success(sequence.first)
    }

    /// The next page; `nil` at the end, and after an error. A page whose successor has no valid position is returned,
    /// and the next call throws.
    ///
    /// - Throws: a ``WebServiceError``.
    public mutating func next() async throws(WebServiceError) -> Page? { try await next(isolation: nil) }

    /// The next page, as `next()` returns it, but no page of a user who has signed out on the caller's actor.
    ///
    /// - Parameter actor: the caller's actor, which a loop passes.
    /// - Throws: a ``WebServiceError``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(WebServiceError) -> Page? {
      let request: Request
      do throws(PagingError) {
        // Taken, because every error ends the sequence.
        guard let next = try upcoming.take()?.get() else { return nil }
        request = next
        pageCount += 1
        guard pageCount <= sequence.pageLimit else { throw .tooManyPages }
        guard request.body != nil || !seen.contains(position(of: writingQuery(of: request)))
        else { throw .repeatedPosition }
      } catch {
        let first = sequence.first
        let failure = WebServiceError(
          .invalidResponse, phase: .read, method: first.method, url: first.path, underlying: error)
        throw sent?.withFacts(failure) ?? failure
      }
      let (response, page, sent) = try await sequence.service.sendRequest(
        request.with { $0.options.work = work }, parser: sequence.parser, isolation: actor)
      self.sent = sent
      let former = writingQuery(of: request)
      seen.insert(position(of: former))
      // A link names a page by its whole URL.
      if let url = sent?.target { seen.insert(position(of: former.with { ($0.path, $0.queryItems) = (url.text, []) })) }
      do throws(PagingError) {
        upcoming = try sequence.paging.next(page, response, former, sent?.target?.origin.text).map { .success($0) }
      } catch { upcoming = .failure(error) }
      return page
    }

    /// The parts of a request by which a page is recognized. A request with a body is never taken for another one.
    private func position(of request: Request) -> [UInt8] {
      let query = QueryEncoder.Escaping.strict.query(of: request.queryItems)
      let parts = [request.path, query] + request.headers.flatMap { [$0.name, $0.value] }
      return SHA256.hash(ofParts: parts.map { Array($0.utf8) })
    }

    /// Writes the value of the query as items, so that the next page can replace one. A value that can't be encoded
    /// fails its request.
    private func writingQuery(of request: Request) -> Request {
      let encoder = sent?.engine.configuration.queryEncoder ?? QueryEncoder()
      guard let query = request.query, let items = try? encoder.encode(query) else { return request }
      return request.with { ($0.queryItems, $0.query) = ($0.queryItems + items, nil) }
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
  ///   - pageLimit: the most pages to request.
  public func pages<Page: Sendable>(
    of requestData: some WebServiceRequestData, parser: ResponseParser<Page>, by paging: Paging<Page> = .links,
    pageLimit: Int = 1000
  ) -> PageSequence<Page> {
    PageSequence(
      service: self, first: Request(requestData), parser: parser.withRequest, paging: paging, pageLimit: pageLimit)
  }

  /// The pages of a collection in JSON, as the form with a parser requests them.
  ///
  /// - Parameters:
  ///   - requestData: the request for the first page.
  ///   - type: the model of a page. In a module of the main actor, declare it `nonisolated`.
  ///   - paging: names the request of the next page; by default the one of the `Link` field with the relation `next`.
  ///   - pageLimit: the most pages to request.
  public func pages<Page: Decodable & Sendable>(
    of requestData: some WebServiceRequestData, as type: Page.Type = Page.self, by paging: Paging<Page> = .links,
    pageLimit: Int = 1000
  ) -> PageSequence<Page> { pages(of: requestData, parser: .json(), by: paging, pageLimit: pageLimit) }
}
