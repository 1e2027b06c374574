import WebServices

extension DemoBackend {
  /// The number of photos. Five photos make an album.
  static let photoCount: Int16 = 20

  func addPhotoRoutes() {
    route(.get, "/photos/:id") { backend, request in
      guard let id = Int16(request.parameters["id"] ?? ""), (1...Self.photoCount).contains(id) else {
        return Self.refusal(404, "There are photos 1 to \(Self.photoCount).")
      }
      return Self.success(Self.photo(id, at: backend.baseURL.absoluteString))
    }
  }

  static func photo(_ id: Int16, at base: String) -> JSONValue {
    [
      "id": .integer(Int64(id)),
      "albumId": .integer(Int64((id - 1) / 5 + 1)),
      "title": .string("Feather number \(id)"),
      "url": .string("\(base)/files/600k?photo=\(id)"),
      "thumbnailUrl": .string("\(base)/files/15k?photo=\(id)"),
    ]
  }
}
