import Foundation
import Testing

@testable import FeatherDemo

extension Photo {
  static let cannedResponse = """
    {
      "albumId": 1,
      "id": 5,
      "title": "A horse",
      "url": "https://photos.example.com/600/f66b97",
      "thumbnailUrl": "https://photos.example.com/150/f66b97"
    }
    """

  static func fixture() throws -> Photo {
    Photo(
      id: 5, albumId: 1, title: "A horse", url: try #require(URL(string: "https://photos.example.com/600/f66b97")),
      thumbnailUrl: try #require(URL(string: "https://photos.example.com/150/f66b97")))
  }
}
