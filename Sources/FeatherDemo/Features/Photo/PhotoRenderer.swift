import Foundation

/// Formats a photo for people and for programs.
enum PhotoRenderer {
  /// The photo, as the option `--json` prints it.
  private struct Members: Encodable {
    var id: Int16
    var albumId: Int16
    var title: String
    var url: String
    var thumbnailUrl: String
  }

  static func lines(for photo: Photo) -> [String] {
    [
      "Photo \(photo.id) of album \(photo.albumId): \(Wording.oneLine(photo.title))",
      "  \(photo.url.absoluteString)",
      "  \(photo.thumbnailUrl.absoluteString) (thumbnail)",
    ]
  }

  static func json(for photo: Photo) throws -> String {
    try JSONText.of(
      Members(
        id: photo.id, albumId: photo.albumId, title: photo.title, url: photo.url.absoluteString,
        thumbnailUrl: photo.thumbnailUrl.absoluteString))
  }
}
