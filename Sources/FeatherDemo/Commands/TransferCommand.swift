import Foundation
import WebServices

/// Downloads into a file, or uploads a file.
@MainActor
enum TransferCommand {
  /// The result of a transfer.
  private struct Report: Encodable {
    var file: String
    var bytes: Int64
    var seconds: TimeInterval
  }

  static func download(_ context: CommandContext) async throws {
    try await transfer(context, "downloading", "Downloaded", "to") { file, target, onProgress in
      let request = Request(
        target ?? "",
        options: RequestOptions {
          $0.onProgress = onProgress
          // An interrupted download continues when the user runs the command again.
          $0.partialDownload = .kept()
        })
      try await JsonWebService.shared.download(request, to: file)
    }
  }

  static func upload(_ context: CommandContext) async throws {
    try await transfer(context, "uploading", "Uploaded", "from") { file, target, onProgress in
      let request = Request(
        target ?? "uploads/\(segment: file.lastPathComponent)", .put, body: .file(file),
        options: RequestOptions {
          // The timeout covers the whole upload, so it allows for a large file on a slow connection.
          $0.timeout = 3_600
          $0.onProgress = onProgress
        })
      _ = try await JsonWebService.shared.sendRequest(request, parser: .response)
    }
  }

  private static func transfer(
    _ context: CommandContext, _ step: String, _ verb: String, _ preposition: String,
    _ work: (URL, String?, @escaping @Sendable (TransportRequest.Progress) -> Void) async throws -> Void
  ) async throws {
    let path = context.arguments.file
    let progress = Locked<TransportRequest.Progress?>(nil)
    let start = SystemClock.shared.now
    try await context.step(step, status: { ProgressText.line(step, progress.withLock { $0 }) }) {
      try await work(URL(fileURLWithPath: path), context.arguments.target?.text) { new in
        progress.withLock { $0 = new }
      }
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let report = Report(
      file: path, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0, seconds: SystemClock.shared.now - start)
    let rate = Wording.bytes(Int64(Double(report.bytes) / max(report.seconds, 0.001)))
    let size = Wording.bytes(report.bytes)
    try context.show(report, ["\(verb) \(size) \(preposition) \(Wording.oneLine(path)) at \(rate)/s."])
  }
}
