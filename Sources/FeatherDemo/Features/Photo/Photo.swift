import Foundation
import WebServices

/// A photo of an album. The initializer parses it from ``JSONValue`` by hand.
struct Photo: Encodable, Sendable {
  var id: Int16
  var albumId: Int16
  var title: String
  var url: URL
  var thumbnailUrl: URL
}

/// The reasons why a photo can't be loaded or parsed.
enum PhotoError: Error, Equatable {
  /// The JSON lacks a member, or a member has the wrong type.
  case parse
  /// The base URL can't be extended with a path.
  case url
}

extension Photo {
  init(with json: JSONValue?) throws {
    guard let id = json?["id"]?.integer.flatMap(Int16.init(exactly:)),
      let albumId = json?["albumId"]?.integer.flatMap(Int16.init(exactly:)),
      let title = json?["title"]?.string,
      let url = URL(string: json?["url"]?.string ?? ""),
      let thumbnailUrl = URL(string: json?["thumbnailUrl"]?.string ?? "")
    else { throw PhotoError.parse }

    self.init(id: id, albumId: albumId, title: title, url: url, thumbnailUrl: thumbnailUrl)
  }

  /// The endpoint of one photo.
  ///
  /// - Parameter baseURL: the base of the path `photos/ID`. Its own path is kept if it ends with a slash.
  static func single(by id: Int16, with baseURL: URL) throws -> Endpoint<Photo> {
    guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else { throw PhotoError.url }
    return Endpoint(url: url, parse: { json in Result { try Photo(with: json) } })
  }
}
