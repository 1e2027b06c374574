/// Requests the pages of a collection one after the other, as you need them.
///
/// ```swift
/// let pages = PageSequence.offsets(items: \.cities, total: \.total) { offset in
///   try await service.sendRequest(ListCities(offset: offset, limit: 100))
/// }
/// for try await page in pages { … }
/// let cities = try await pages.collect().flatMap(\.cities)
/// ```
///
/// Every failure is a ``WebServiceError``. If a server names a page twice or never ends, the sequence fails with kind
/// `.invalidResponse` and an underlying ``PagingError``. If your own code throws, the sequence fails with kind
/// `.unexpected` and your error underneath. Each iteration starts from the first page.
///
/// The pages of one iteration belong to one user. After a sign-out, a page that needs a token fails as cancelled. After
/// ``Server/set(_:)`` or ``JsonWebService/resetSharedInstance(session:tokenManager:reachability:configuration:)``,
/// every page fails as cancelled. `fetch` must send its request in the Swift task that calls `fetch`, not in a detached
/// task.
///
/// The article <doc:ReadingPages> has samples.
public struct PageSequence<Position: Hashable & Sendable, Page: Sendable>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Page

  let first: Position
  let maximumPageCount: Int
  let nextPosition: @Sendable (Page, Position) throws -> Position?
  let fetch: @Sendable (Position) async throws -> Page

  /// Creates a sequence for your own way of paging.
  ///
  /// - Parameters:
  ///   - first: the position of the first page.
  ///   - maximumPageCount: the most pages to request.
  ///   - next: the position after a page, made from the page and its own position; `nil` at the end. The position must
  ///     be new. An error that it throws comes after the page.
  ///   - fetch: requests one page. Both closures run in the Swift task that reads the sequence.
  public init(
    from first: Position, maximumPageCount: Int = 1000, next: @escaping @Sendable (Page, Position) throws -> Position?,
    fetch: @escaping @Sendable (Position) async throws -> Page
  ) {
    self.first = first
    self.maximumPageCount = maximumPageCount
    self.fetch = fetch
    nextPosition = next
  }

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
    private let sequence: PageSequence
    /// All pages belong to the user for whom the first page was requested.
    private let work = RequestWork.currentOrNew
    /// The position of the next page, or the error in its place; `nil` at the end and after an error.
    private var upcoming: Result<Position, WebServiceError>?
    /// All positions so far, because a server may lead through several pages in a circle.
    private var seen: Set<Position> = []

    init(sequence: PageSequence) {
      self.sequence = sequence
      upcoming = .success(sequence.first)
    }

    /// The next page; `nil` at the end, and after an error. A page whose successor has no valid position is returned,
    /// and the next call throws.
    ///
    /// - Throws: a ``WebServiceError``.
    public mutating func next() async throws(WebServiceError) -> Page? {
      // Taken, because every error ends the sequence.
      guard let position = try upcoming.take()?.get() else { return nil }
      if Task.isCancelled { throw WebServiceError(.cancelled, message: "the Swift task was cancelled") }
      guard seen.count < sequence.maximumPageCount else { throw WebServiceError(ofPage: PagingError.tooManyPages) }
      guard seen.insert(position).inserted else { throw WebServiceError(ofPage: PagingError.repeatedPosition) }
      let page = try await work.perform { [sequence] () async throws(WebServiceError) in
        do { return try await sequence.fetch(position) } catch { throw WebServiceError(ofPage: error) }
      }
      do {
        upcoming = try sequence.nextPosition(page, position).map { .success($0) }
      } catch {
        upcoming = .failure(WebServiceError(ofPage: error))
      }
      return page
    }
  }
}

extension WebServiceError {
  /// Makes a `WebServiceError` of an error that the request of a page, or a closure of the app, has thrown.
  fileprivate init(ofPage error: any Error) {
    switch error {
    case let error as WebServiceError: self = error
    case is PagingError: self.init(.invalidResponse, phase: .read, underlying: error)
    case is CancellationError: self.init(.cancelled, underlying: error)
    default: self.init(.unexpected, message: "the closure for a page threw another error", underlying: error)
    }
  }
}
