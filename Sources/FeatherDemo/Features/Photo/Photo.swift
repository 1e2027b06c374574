import Foundation
import WebServices

/// A photo of an album. The initializer parses it from ``JSONValue`` by hand.
struct Photo: Encodable, Equatable, Sendable {
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

    self.id = id
    self.albumId = albumId
    self.title = title
    self.url = url
    self.thumbnailUrl = thumbnailUrl
  }
}
