/// Requests the pages of a collection one after the other, as you need them.
///
/// ```swift
/// let cities = PageSequence.offsets(limit: 100, items: \.cities, total: \.total) { range in
///   try await service.sendRequest(ListCities(offset: range.offset, limit: range.limit))
/// }
/// for try await city in cities.elements(\.cities) { … }
/// let all = try await cities.elements(\.cities).collect()
/// ```
///
/// Every failure is a ``WebServiceError``. If a server repeats a page or never ends, the sequence fails with kind
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

  /// The most pages that a sequence requests if you name no number.
  public static var defaultMaximumPageCount: Int { 1000 }

  let first: Position
  let maximumPageCount: Int
  let lastStatusCodes: Set<Int>
  let fetch: @Sendable (Position) async throws -> Page
  let nextPosition: @Sendable (Page, Position) throws -> Position?
  let isRepeated: (@Sendable (Page, Page) -> Bool)?

  /// Creates a sequence for your own way of paging.
  ///
  /// - Parameters:
  ///   - first: the position of the first page.
  ///   - maximumPageCount: the most pages to request.
  ///   - lastStatusCodes: the statuses that mean that the page before was the last one.
  ///   - isRepeated: whether the second page equals the first, which means that the server ignores the position.
  ///   - next: the position after a page, made from the page and its own position; `nil` at the end. The position must
  ///     be new. An error that it throws comes after the page.
  ///   - fetch: requests one page. All closures run in the Swift task that reads the sequence.
  public init(
    from first: Position, maximumPageCount: Int = PageSequence.defaultMaximumPageCount,
    endingOn lastStatusCodes: Set<Int> = [],
    isRepeated: (@Sendable (Page, Page) -> Bool)? = nil,
    next: @escaping @Sendable (Page, Position) throws -> Position?,
    fetch: @escaping @Sendable (Position) async throws -> Page
  ) {
    self.first = first
    self.maximumPageCount = maximumPageCount
    self.lastStatusCodes = lastStatusCodes
    self.fetch = fetch
    nextPosition = next
    self.isRepeated = isRepeated
  }

  /// Starts with the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self)
  }

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
    /// The page before; `nil` if pages aren't compared, so that no page is kept in memory for nothing.
    private var previous: Page?
    private var pageCount = 0

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
      guard let current = try upcoming.take()?.get() else { return nil }
      if Task.isCancelled { throw WebServiceError(.cancelled, message: "the Swift task was cancelled") }
      guard pageCount < sequence.maximumPageCount else { throw failure(.tooManyPages) }
      guard seen.insert(current).inserted else { throw failure(.repeatedPosition) }
      guard let page = try await page(at: current) else { return nil }
      if let previous, let isRepeated = sequence.isRepeated, isRepeated(previous, page) {
        throw failure(.repeatedPage)
      }
      previous = sequence.isRepeated == nil ? nil : page
      pageCount += 1
      upcoming = following(page, at: current)
      return page
    }

    private func following(_ page: Page, at position: Position) -> Result<Position, WebServiceError>? {
      do {
        return try sequence.nextPosition(page, position).map { .success($0) }
      } catch let error as PagingError {
        return .failure(failure(error.reason))
      } catch {
        return .failure(WebServiceError(ofPage: error))
      }
    }

    /// Fetches a page.
    ///
    /// - Returns: `nil` for a status that ends the sequence. The first page can't have such a status.
    private func page(at position: Position) async throws(WebServiceError) -> Page? {
      do throws(WebServiceError) {
        return try await work.perform { [sequence] () async throws(WebServiceError) in
          do { return try await sequence.fetch(position) } catch { throw WebServiceError(ofPage: error) }
        }
      } catch {
        guard pageCount > 0, case .statusCode(let code) = error.kind, sequence.lastStatusCodes.contains(code) else {
          throw error
        }
        return nil
      }
    }

    private func failure(_ reason: PagingError.Reason) -> WebServiceError {
      WebServiceError(ofPage: PagingError(reason, pageCount: pageCount))
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

extension PageSequence {
  /// The elements of the pages, one after the other.
  ///
  /// - Parameter items: the elements of a page. It runs in the Swift task that reads the sequence.
  public func elements<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> Elements<Item> {
    Elements(pages: self, items: items)
  }

  /// The elements of the pages of a collection, one after the other; made by ``elements(_:)``.
  public struct Elements<Item: Sendable>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Item

    fileprivate let pages: PageSequence
    fileprivate let items: @Sendable (Page) -> [Item]

    /// Starts with the first page.
    public func makeAsyncIterator() -> Iterator {
      Iterator(pages: pages.makeAsyncIterator(), items: items)
    }

    /// All elements.
    ///
    /// - Throws: a ``WebServiceError``.
    public func collect() async throws(WebServiceError) -> [Item] {
      try await pages.collect().flatMap(items)
    }

    /// Goes from element to element, and requests a page when the page before is used up.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var pages: PageSequence.Iterator
      fileprivate let items: @Sendable (Page) -> [Item]
      private var current: ArraySlice<Item> = []

      fileprivate init(pages: PageSequence.Iterator, items: @escaping @Sendable (Page) -> [Item]) {
        self.pages = pages
        self.items = items
      }

      /// The next element; `nil` at the end, and after an error.
      ///
      /// - Throws: a ``WebServiceError``.
      public mutating func next() async throws(WebServiceError) -> Item? {
        while current.isEmpty {
          guard let page = try await pages.next() else { return nil }
          current = items(page)[...]
        }
        return current.popFirst()
      }
    }
  }
}
