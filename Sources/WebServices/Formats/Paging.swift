public import Foundation

/// Names the request of the next page of a collection, for `pages(of:as:by:pageLimit:)`.
///
/// The article <doc:ReadingPages> has samples.
public struct Paging<Page: Sendable>: Sendable {
  /// Makes the next request from a page, its response and request, and the origin of that request before redirects.
  typealias Next = @Sendable (Page, WebServiceResponse, Request, _ origin: String?) throws(PagingError) -> Request?

  let next: Next

  private init(following next: @escaping Next) { self.next = next }

  /// Your own way of paging.
  ///
  /// - Parameter next: the request of the page after this one, made from the page and its own request; `nil` at the
  ///   end. It runs in the Swift task that reads the pages. It may name any origin, which gets the request's
  ///   credentials.
  public init(next: @escaping @Sendable (_ page: Page, _ request: Request) -> Request?) {
    self.init(following: { page, _, request, _ in next(page, request) })
  }

  /// Follows the `Link` field with the relation `next` (``WebServiceResponse/link(relation:)``). A link to another
  /// origin than the first page's ends in a ``PagingError`` after the page that has it.
  public static var links: Paging { links(to: { _, response in response.link(relation: "next") }) }

  /// Follows the URL of the next page in the body. A URL of another origin than the first page's ends in a
  /// ``PagingError`` after the page that has it.
  ///
  /// - Parameter next: the URL of the next page, absolute or relative to the page's; `nil` at the end.
  public static func links(next: @escaping @Sendable (Page) -> URL?) -> Paging {
    links(to: { page, response in next(page).map { response.resolving($0.absoluteString) ?? $0 } })
  }

  private static func links(to target: @escaping @Sendable (Page, WebServiceResponse) -> URL?) -> Paging {
    Paging(following: { page, response, request, origin throws(PagingError) in
      guard let url = target(page, response) else { return nil }
      // A server could otherwise have the next request, with its token, sent to another host. A redirect may have led
      // to the response's own URL, so that URL counts only for a fake, whose base URL nobody knows.
      let own = origin ?? response.urlForm.parsed?.origin.text
      guard let next = try? HTTPURL(url.absoluteString), next.origin.text == own else { throw .otherOrigin }
      return request.with { ($0.path, $0.queryItems) = (next.text, []) }
    })
  }

  /// Sets an item of the query to the position of the next page: a page number, an offset or a cursor. The first
  /// request is sent as it is.
  ///
  /// - Parameters:
  ///   - name: the name of the item. The first request's value counts, if it has the item.
  ///   - first: the position of the first page.
  ///   - next: the position after a page, made from the page and its own position; `nil` or empty at the end. It runs
  ///     in the Swift task that reads the pages.
  public static func query<Position: LosslessStringConvertible & Sendable>(
    _ name: String, from first: Position, next: @escaping @Sendable (_ page: Page, _ position: Position) -> Position?
  ) -> Paging {
    Paging { page, request in
      let reference = try? URLReference(request.path)
      let pathItems = reference?.queryItems ?? []
      let position = (pathItems + request.queryItems).last { $0.name == name }?.value.flatMap { Position($0) }
      guard let following = next(page, position ?? first)?.description, !following.isEmpty else { return nil }
      return request.with { request in
        request.queryItems.removeAll { $0.name == name }
        request.queryItems.append(URLQueryItem(name: name, value: following))
        guard let reference, let query = reference.query else { return }
        // The other items of the path stay as they were written.
        let others = zip(query.split(separator: "&"), pathItems).filter { $1.name != name }.map(\.0)
        request.path = "\(reference.beforeQuery)?\(others.joined(separator: "&"))"
      }
    }
  }

  /// Sets an item of the query to the cursor of the next page, which each page's body has. The sequence ends without a
  /// cursor or with an empty one.
  ///
  /// - Parameters:
  ///   - name: the name of the item.
  ///   - next: the cursor of the next page.
  public static func query(_ name: String, next: @escaping @Sendable (Page) -> String?) -> Paging {
    query(name, from: "") { page, _ in next(page) }
  }
}

/// Tells why a paged collection was stopped before its end. The error contains nothing that the server sent.
public enum PagingError: DescribedByLibrary, Hashable, Sendable {
  /// There are more pages than the sequence allows.
  case tooManyPages
  /// The server names a next cursor or URL that was requested before.
  case repeatedPosition
  /// The link to the next page leads to another origin, where credentials must not go.
  case otherOrigin

  /// The reason in words for developers.
  public var description: String {
    switch self {
    case .tooManyPages: "the collection has more pages than allowed"
    case .repeatedPosition: "the server names a page as the next that was already read"
    case .otherOrigin: "the link to the next page leads to another origin"
    }
  }
}
