import WebServices

/// Shows one photo, loaded with an `Endpoint` and a `Networker`.
@MainActor
enum PhotoCommand {
  static func run(_ context: CommandContext) async throws {
    let networker = Networker(service: JsonWebService.shared)
    // A base URL keeps its own path only if it ends with a slash.
    let baseURL = context.wiring.baseURL.appendingPathComponent("", isDirectory: true)
    let photo = try await context.step("fetching photo \(context.arguments.photoID)") {
      let endpoint = try Photo.single(by: context.arguments.photoID, with: baseURL)
      return try await withCheckedContinuation { continuation in
        networker.load(endpoint) { continuation.resume(returning: $0) }
      }.get()
    }
    try context.show(
      photo,
      [
        "Photo \(photo.id) of album \(photo.albumId): \(Wording.oneLine(photo.title))",
        "  \(photo.url.absoluteString)",
        "  \(photo.thumbnailUrl.absoluteString) (thumbnail)",
      ])
  }
}

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
