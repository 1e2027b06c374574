import Foundation
import WebServices

extension Photo {
  /// One photo.
  ///
  /// - Parameter baseURL: where the photos are; its own path is kept where it ends with a slash.
  static func single(by id: Int16, with baseURL: URL) throws -> Endpoint<Photo> {
    guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else {
      throw PhotoError.url
    }

    return Endpoint(
      url: url,
      parse: { json in
        do { return .success(try Photo(with: json)) } catch let error { return .failure(error) }
      })
  }
}
