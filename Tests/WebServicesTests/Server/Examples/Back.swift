import Foundation
import WebServices

/// The first example: a method that only this backend has.
final class Back: Server, @unchecked Sendable {
  /// Fetches all pages, one after another.
  ///
  /// - Returns: the elements of all pages in order. A page without elements ends the loop, whatever total it names.
  func circular<R: Decodable & Sendable>(
    path: String, query: [String: String] = [:], take: R.Type, batch: Int = 1000
  ) async throws -> [R] {
    var elements: [R] = []
    while true {
      let page = ["offset": "\(elements.count)", "limit": "\(batch)"]
      let response = try await request(
        type: .get, path: path, query: query.merging(page) { $1 }, take: .json(Response<R>.self))
      elements += response.records
      if response.records.isEmpty || elements.count >= response.total { return elements }
    }
  }
}

extension Back {
  fileprivate struct Response<R: Decodable & Sendable>: Decodable, Sendable {
    let offset: Int
    let total: Int
    let records: [R]
  }
}
