/// The pages of a collection that a server gives out piece by piece, asked for one after the other as they are needed.
///
///     let cities = PageSequence.offsets(limit: 100, items: \.cities, total: \.total) { range in
///       try await service.sendRequest(ListCities(offset: range.offset, limit: range.limit))
///     }
///     for try await city in cities.elements(\.cities) { … }
///     let all = try await cities.elements(\.cities).collect()
///
/// A server that never ends, or that goes in a circle, is stopped with a `PagingError`. Cancellation is checked before
/// each page. Each iteration starts from the first page.
///
/// The pages of one iteration belong to one user. After a sign-out, a page that needs a token fails as cancelled. After
/// `Server.set(_:)` or `JsonWebService.resetSharedInstance`, every page does. `fetch` has to send its request in the Swift
/// task that it is called in, not in a detached one.
public struct PageSequence<Position: Hashable & Sendable, Page: Sendable>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Page

  /// The number of pages that are allowed where none is named.
  public static var defaultMaximumPageCount: Int { 1000 }

  let first: Position
  let maximumPageCount: Int
  let fetch: @Sendable (Position) async throws -> Page
  let nextPosition: @Sendable (Page, Position) throws -> Position?
  let isRepeated: (@Sendable (Page, Page) -> Bool)?

  /// Creates a sequence for your own way of paging.
  ///
  /// - Parameters:
  ///   - first: the position of the first page.
  ///   - maximumPageCount: the most pages to request.
  ///   - isRepeated: whether the second page equals the first, which means that the server ignores the position.
  ///   - next: the position after a page, made from the page and its own position; `nil` at the end. The position must
  ///     be new.
  ///   - fetch: requests one page.
  public init(
    from first: Position, maximumPageCount: Int = PageSequence.defaultMaximumPageCount,
    isRepeated: (@Sendable (Page, Page) -> Bool)? = nil,
    next: @escaping @Sendable (Page, Position) throws -> Position?,
    fetch: @escaping @Sendable (Position) async throws -> Page
  ) {
    self.first = first
    self.maximumPageCount = maximumPageCount
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
  /// - Throws: the errors of fetching, `PagingError` and `CancellationError`.
  public func collect() async throws -> [Page] {
    try await reduce(into: []) { $0.append($1) }
  }

  /// Goes from page to page.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: PageSequence
    /// All pages belong to the user for whom the first was asked for.
    private let work = RequestWork.joined
    private var position: Position?
    private var seen: Set<Position> = []
    private var previous: Page?
    private var pageCount = 0

    init(sequence: PageSequence) {
      self.sequence = sequence
      position = sequence.first
    }

    /// The next page; `nil` at the end, and after an error.
    ///
    /// - Throws: the errors of fetching, `PagingError` and `CancellationError`.
    public mutating func next() async throws -> Page? {
      guard let current = position else { return nil }
      position = nil
      try Task.checkCancellation()
      guard pageCount < sequence.maximumPageCount else { throw PagingError(.tooManyPages, pageCount: pageCount) }
      guard seen.insert(current).inserted else { throw PagingError(.repeatedPosition, pageCount: pageCount) }
      let page = try await RequestWork.$current.withValue(work) { [sequence] in try await sequence.fetch(current) }
      if let previous, let isRepeated = sequence.isRepeated, isRepeated(previous, page) {
        throw PagingError(.repeatedPage, pageCount: pageCount)
      }
      do {
        position = try sequence.nextPosition(page, current)
      } catch let error as PagingError {
        throw PagingError(error.reason, pageCount: pageCount)
      }
      previous = sequence.isRepeated == nil ? nil : page
      pageCount += 1
      return page
    }
  }
}

extension PageSequence {
  /// The elements of the pages, one after the other.
  ///
  /// - Parameter items: the elements of a page.
  public func elements<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> Elements<Item> {
    Elements(pages: self, items: items)
  }

  /// The elements of the pages of a collection, one after the other; made by `elements(_:)`.
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
    /// - Throws: the errors of fetching, `PagingError` and `CancellationError`.
    public func collect() async throws -> [Item] {
      try await pages.reduce(into: []) { $0 += items($1) }
    }

    /// Goes from element to element, and asks for a page when the one before is used up.
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
      /// - Throws: the errors of fetching, `PagingError` and `CancellationError`.
      public mutating func next() async throws -> Item? {
        while current.isEmpty {
          guard let page = try await pages.next() else { return nil }
          current = items(page)[...]
        }
        return current.popFirst()
      }
    }
  }
}
