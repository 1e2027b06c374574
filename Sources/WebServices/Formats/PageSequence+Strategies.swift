public import Foundation

extension PageSequence where Position == PageRange {
  /// Pages by offset and limit.
  ///
  /// The next offset is the number of elements so far, because a server may send fewer than requested. The sequence
  /// ends at the total or at an empty page.
  ///
  /// - Parameters:
  ///   - offset: the first offset.
  ///   - limit: the number of elements to request per page.
  ///   - items: the elements of a page. Two equal pages in a row end in a ``PagingError``, if the elements can be
  ///     compared.
  ///   - total: the number of elements in the collection, if the page has it.
  ///   - allowsRepeatedPages: whether two pages in a row may be equal.
  ///   - maximumPageCount: the most pages to request.
  ///   - lastStatusCodes: the statuses that mean that the page before was the last one, such as 404.
  ///   - fetch: requests one page. All closures run in the Swift task that reads the sequence.
  public static func offsets<Item: Sendable>(
    from offset: Int = 0, limit: Int, items: @escaping @Sendable (Page) -> [Item],
    total: @escaping @Sendable (Page) -> Int? = { _ in nil }, allowsRepeatedPages: Bool = false,
    maximumPageCount: Int = PageSequence.defaultMaximumPageCount, endingOn lastStatusCodes: Set<Int> = [],
    fetch: @escaping @Sendable (PageRange) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: PageRange(offset: offset, limit: limit), maximumPageCount: maximumPageCount,
      endingOn: lastStatusCodes,
      isRepeated: allowsRepeatedPages ? nil : repetition(of: items),
      next: { page, range in
        let count = items(page).count
        let (next, isTooLarge) = range.offset.addingReportingOverflow(count)
        guard count > 0, !isTooLarge, next < total(page) ?? .max else { return nil }
        return PageRange(offset: next, limit: range.limit)
      }, fetch: fetch)
  }
}

extension PageSequence where Position == Int {
  /// Pages by number. The sequence ends at the last page or at an empty one.
  ///
  /// - Parameters:
  ///   - first: the number of the first page.
  ///   - items: the elements of a page. Two equal pages in a row end in a ``PagingError``, if the elements can be
  ///     compared.
  ///   - last: the number of the last page, if the page has it.
  ///   - allowsRepeatedPages: whether two pages in a row may be equal.
  ///   - maximumPageCount: the most pages to request.
  ///   - lastStatusCodes: the statuses that mean that the page before was the last one, such as 404.
  ///   - fetch: requests one page. All closures run in the Swift task that reads the sequence.
  public static func numbers<Item: Sendable>(
    from first: Int = 1, items: @escaping @Sendable (Page) -> [Item],
    last: @escaping @Sendable (Page) -> Int? = { _ in nil }, allowsRepeatedPages: Bool = false,
    maximumPageCount: Int = PageSequence.defaultMaximumPageCount, endingOn lastStatusCodes: Set<Int> = [],
    fetch: @escaping @Sendable (Int) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: first, maximumPageCount: maximumPageCount, endingOn: lastStatusCodes,
      isRepeated: allowsRepeatedPages ? nil : repetition(of: items),
      next: { page, number in
        guard !items(page).isEmpty, number < last(page) ?? .max else { return nil }
        return number + 1
      }, fetch: fetch)
  }
}

extension PageSequence where Position == String? {
  /// Pages by a cursor. Each page's body has the cursor of the next page, and the first request has none.
  ///
  /// - Parameters:
  ///   - next: the cursor of the next page; `nil` or empty at the end.
  ///   - maximumPageCount: the most pages to request.
  ///   - fetch: requests one page. Both closures run in the Swift task that reads the sequence.
  public static func cursors(
    next: @escaping @Sendable (Page) -> String?, maximumPageCount: Int = PageSequence.defaultMaximumPageCount,
    fetch: @escaping @Sendable (String?) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: nil, maximumPageCount: maximumPageCount,
      next: { page, _ in
        guard let cursor = next(page), !cursor.isEmpty else { return nil }
        return .some(cursor)
      }, fetch: fetch)
  }
}

extension PageSequence where Position == URL {
  /// Pages by URL, as `Link` header fields (RFC 8288) or members of the body name them.
  ///
  /// ```swift
  /// PageSequence.links(from: url, next: { $0.link(relation: "next") }) { url in … }
  /// ```
  ///
  /// - Parameters:
  ///   - first: the URL of the first page.
  ///   - next: the URL of the next page; `nil` at the end.
  ///   - allowsOtherOrigins: whether a page may be at another origin than the previous page. If `false`, such a link
  ///     ends in a ``PagingError`` after the page that has it. If `true`, send no credentials to other origins.
  ///   - maximumPageCount: the most pages to request.
  ///   - fetch: requests one page. Both closures run in the Swift task that reads the sequence.
  public static func links(
    from first: URL, next: @escaping @Sendable (Page) -> URL?, allowsOtherOrigins: Bool = false,
    maximumPageCount: Int = PageSequence.defaultMaximumPageCount,
    fetch: @escaping @Sendable (URL) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: first, maximumPageCount: maximumPageCount,
      next: { page, url in
        guard let following = next(page).map(\.absoluteURL) else { return nil }
        // A server could otherwise have the next request, with its token, sent to another host.
        let isSameOrigin = try? HTTPURL(url.absoluteString).hasSameOrigin(as: HTTPURL(following.absoluteString))
        guard allowsOtherOrigins || isSameOrigin == true else {
          // The iterator fills in the count.
          throw PagingError(.otherOrigin, pageCount: 0)
        }
        return following
      }, fetch: fetch)
  }
}

/// Compares the elements of two pages. Returns `false` for empty pages, and if the elements can't be compared.
private func repetition<Page, Item>(
  of items: @escaping @Sendable (Page) -> [Item]
) -> @Sendable (Page, Page) -> Bool {
  { left, right in
    func isEqual<Value: Equatable>(_ left: Value, _ right: Item) -> Bool { right as? Value == left }
    let (left, right) = (items(left), items(right))
    return !left.isEmpty && left.count == right.count
      && zip(left, right).allSatisfy { left, right in (left as? any Equatable).map { isEqual($0, right) } ?? false }
  }
}

/// A part of a collection, requested by offset and limit.
public struct PageRange: Hashable, Sendable {
  /// How many elements come before the page.
  public var offset: Int
  /// How many elements the page may have at most.
  public var limit: Int

  /// Creates a range. Each parameter sets the property of the same name.
  public init(offset: Int, limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}
