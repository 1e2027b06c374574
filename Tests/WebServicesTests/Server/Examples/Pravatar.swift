import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The second example: an image host with one method. The other methods are unavailable, and fail if they are called
/// through the superclass.
final class Pravatar: Server, @unchecked Sendable {
  /// - Parameter adjust: changes the configuration in tests.
  init(adjust: Config.Configure<Config> = { _ in }) {
    var config = Config(base: URL(string: "https://i.pravatar.cc"))
    adjust(&config)
    super.init(with: config)
  }

  @available(*, unavailable, message: "the host has images only: use load(id:size:)")
  override func raw(
    with request: URLRequest, isolation: isolated (any Actor)?
  ) async throws -> (Data, URLResponse) {
    throw PravatarError.notOffered
  }

  @available(*, unavailable, message: "the host has images only: use load(id:size:)")
  override func request<R: Sendable>(
    type: Server.Method, base: URL?, path: String, timeout: TimeInterval?, headers: [String: String],
    query: [String: String], send: Server.Send, take: Server.Take<R>, catch: Server.Catcher<R>?,
    isolation: isolated (any Actor)?
  ) async throws -> R {
    throw PravatarError.notOffered
  }
}

enum PravatarError: Error {
  case invalidData
  case notOffered
}

/// A replacement for an image type on systems without a user interface.
struct PNGImage: Equatable, Sendable {
  let data: Data

  init?(data: Data) {
    guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    self.data = data
  }
}

extension Pravatar {
  func load(id: Int, size: Int) async throws -> (PNGImage, String?) {
    let (response, data) = try await super.request(
      type: .get, path: "/\(size)", query: ["img": "\(id)"], take: .response(with: .data()))
    guard let image = PNGImage(data: data) else { throw PravatarError.invalidData }
    return (image, (response as? HTTPURLResponse)?.suggestedFilename)
  }
}
