/// The elements of the pages of a collection, one after the other; made by `PageSequence.elements(_:)`.
public struct PageElements<Position: Hashable & Sendable, Page: Sendable, Element: Sendable>: AsyncSequence, Sendable {
  private let pages: PageSequence<Position, Page>
  private let items: @Sendable (Page) -> [Element]

  init(pages: PageSequence<Position, Page>, items: @escaping @Sendable (Page) -> [Element]) {
    self.pages = pages
    self.items = items
  }

  /// Starts with the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: pages.makeAsyncIterator(), items: items)
  }

  /// All elements.
  ///
  /// - Throws: what the fetching throws, `PagingError` and `CancellationError`.
  public func collect() async throws -> [Element] {
    var elements: [Element] = []
    for try await page in pages { elements += items(page) }
    return elements
  }

  /// Goes from element to element, and asks for a page when the one before is used up.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: PageSequence<Position, Page>.Iterator
    private let items: @Sendable (Page) -> [Element]
    private var current: ArraySlice<Element> = []

    init(pages: PageSequence<Position, Page>.Iterator, items: @escaping @Sendable (Page) -> [Element]) {
      self.pages = pages
      self.items = items
    }

    /// The next element; `nil` at the end, and after an error.
    ///
    /// - Throws: what the fetching throws, `PagingError` and `CancellationError`.
    public mutating func next() async throws -> Element? {
      while current.isEmpty {
        guard let page = try await pages.next() else { return nil }
        current = items(page)[...]
      }
      return current.popFirst()
    }
  }
}

extension PageSequence {
  /// The elements of the pages, one after the other.
  ///
  /// - Parameter items: the elements of a page.
  public func elements<Item: Sendable>(
    _ items: @escaping @Sendable (Page) -> [Item]
  ) -> PageElements<Position, Page, Item> {
    PageElements(pages: self, items: items)
  }
}
