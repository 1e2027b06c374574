import Foundation
import WebServices

/// Shows one photo.
@MainActor
enum PhotoCommand {
  static let idRange = 1...Int(Int16.max)

  static func run(_ context: CommandContext) async throws {
    let networker = Networker(service: JsonWebService.shared)
    // A base URL keeps its own path only if it ends with a slash.
    let baseURL = context.wiring.baseURL.appendingPathComponent("", isDirectory: true)
    let endpoint = try Photo.single(by: context.arguments.photoID, with: baseURL)
    context.spinner.start("Fetching photo \(context.arguments.photoID)")
    defer { context.spinner.stop() }

    let result = await withCheckedContinuation { continuation in
      networker.load(endpoint) { result in
        continuation.resume(returning: result)
      }
    }
    context.spinner.stop()
    guard let photo = result.value else { throw context.failure("fetching the photo", result.error) }
    if context.arguments.printsJSON {
      Console.data(try PhotoRenderer.json(for: photo))
    } else {
      PhotoRenderer.lines(for: photo).forEach(Console.result)
    }
  }
}
