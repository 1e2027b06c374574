import Foundation
import WebServices

/// Sends a file as the body of a request.
@MainActor
enum UploadCommand {
  /// The result of the upload, as the option `--json` prints it.
  private struct Uploaded: Encodable {
    var file: String
    var bytes: Int64
    var seconds: TimeInterval
    var status: Int
    var url: String
  }

  static func run(_ context: CommandContext) async throws {
    let arguments = context.arguments
    let sent = Locked<Int64>(0)
    let start = SystemClock.shared.now
    let response = try await upload(URL(fileURLWithPath: arguments.file), counting: sent, context)
    let url = Redaction.standard.url(response.url.absoluteString)
    let transfer = TransferReport(
      file: arguments.file, bytes: size(of: arguments.file) ?? sent.withLock { $0 },
      seconds: SystemClock.shared.now - start)
    guard arguments.printsJSON else {
      return Console.result(transfer.line("Uploaded", "to", url))
    }
    Console.data(
      try JSONText.of(
        Uploaded(
          file: transfer.file, bytes: transfer.bytes, seconds: transfer.seconds, status: response.statusCode, url: url)
      ))
  }

  private static func size(of path: String) -> Int64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value
  }

  private static func upload(
    _ file: URL, counting sent: Locked<Int64>, _ context: CommandContext
  ) async throws -> WebServiceResponse {
    let bar = context.progressBar()
    defer { bar.finish() }
    let requestData = RequestDataForUpload(file: file, to: context.arguments.target) { progress in
      sent.withLock { $0 = progress.sent }
      bar.update(bytes: progress.sent, total: progress.expectedToSend)
    }
    do throws(WebServiceError) {
      return try await TransferReport.guarded { completion in
        JsonWebService.shared.sendRequest(
          requestData, parser: .response, callbackQueue: .global(), completion: completion)
      }
    } catch {
      bar.finish()
      throw context.failure("uploading", error)
    }
  }
}
