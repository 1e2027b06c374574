import Foundation
import WebServices

extension Photo {
  /// The endpoint of one photo.
  ///
  /// - Parameter baseURL: the base of the path `photos/ID`. Its own path is kept if it ends with a slash.
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
