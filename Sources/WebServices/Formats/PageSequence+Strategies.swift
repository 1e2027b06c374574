public import Foundation

extension PageSequence where Position == Int {
  /// Pages by offset. The next offset is the number of elements so far, because a server may send fewer than requested.
  /// The sequence ends at the total or at an empty page.
  ///
  /// - Parameters:
  ///   - offset: the first offset.
  ///   - items: the elements of a page.
  ///   - total: the number of elements in the collection, if the page has it.
  ///   - maximumPageCount: the most pages to request.
  ///   - fetch: requests one page. All closures run in the Swift task that reads the sequence.
  public static func offsets<Item: Sendable>(
    from offset: Int = 0, items: @escaping @Sendable (Page) -> [Item],
    total: @escaping @Sendable (Page) -> Int? = { _ in nil }, maximumPageCount: Int = 1000,
    fetch: @escaping @Sendable (Int) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: offset, maximumPageCount: maximumPageCount,
      next: { page, offset in
        // Not above `offset` for an empty page, and for a sum that overflows.
        let next = offset &+ items(page).count
        return next > offset && next < total(page) ?? .max ? next : nil
      }, fetch: fetch)
  }

  /// Pages by number. The sequence ends at the last page or at an empty one.
  ///
  /// - Parameters:
  ///   - first: the number of the first page.
  ///   - items: the elements of a page.
  ///   - last: the number of the last page, if the page has it.
  ///   - maximumPageCount: the most pages to request.
  ///   - fetch: requests one page. All closures run in the Swift task that reads the sequence.
  public static func numbers<Item: Sendable>(
    from first: Int = 1, items: @escaping @Sendable (Page) -> [Item],
    last: @escaping @Sendable (Page) -> Int? = { _ in nil }, maximumPageCount: Int = 1000,
    fetch: @escaping @Sendable (Int) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: first, maximumPageCount: maximumPageCount,
      next: { page, number in !items(page).isEmpty && number < last(page) ?? .max ? number + 1 : nil }, fetch: fetch)
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
    next: @escaping @Sendable (Page) -> String?, maximumPageCount: Int = 1000,
    fetch: @escaping @Sendable (String?) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: nil, maximumPageCount: maximumPageCount,
      next: { page, _ in
        guard let cursor = next(page), !cursor.isEmpty else { return nil }
        return cursor
      }, fetch: fetch)
  }
}

extension PageSequence where Position == URL {
  /// Pages by the URL of the next page, which a `Link` field (``WebServiceResponse/link(relation:)``) or the body has.
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
    maximumPageCount: Int = 1000, fetch: @escaping @Sendable (URL) async throws -> Page
  ) -> PageSequence {
    PageSequence(
      from: first, maximumPageCount: maximumPageCount,
      next: { page, url in
        guard let following = next(page).map(\.absoluteURL) else { return nil }
        // A server could otherwise have the next request, with its token, sent to another host.
        let isSameOrigin = try? HTTPURL(url.absoluteString).hasSameOrigin(as: HTTPURL(following.absoluteString))
        guard allowsOtherOrigins || isSameOrigin == true else { throw PagingError.otherOrigin }
        return following
      }, fetch: fetch)
  }
}
