import Foundation
import WebServices

/// Writes the content of a URL to a file.
@MainActor
enum DownloadCommand {
  static func run(_ context: CommandContext) async throws {
    let arguments = context.arguments
    let file = URL(fileURLWithPath: arguments.file)
    let start = SystemClock.shared.now
    try await download(to: file, context)
    let seconds = SystemClock.shared.now - start
    let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
    let transfer = TransferReport(file: arguments.file, bytes: size?.int64Value ?? 0, seconds: seconds)
    if arguments.printsJSON {
      Console.data(try JSONText.of(transfer))
    } else {
      Console.result(transfer.line("Downloaded", "to", arguments.file))
    }
  }

  private static func download(to file: URL, _ context: CommandContext) async throws {
    let bar = context.progressBar()
    defer { bar.finish() }
    let tally = Locked(TransferTally())
    let requestData = RequestDataForDownload(path: context.arguments.target?.text ?? "") { progress in
      let (bytes, total) = tally.withLock { tally in
        tally.update(bytes: progress.received, expected: progress.expectedToReceive)
        return (tally.bytes, tally.total)
      }
      bar.update(bytes: bytes, total: total)
    }
    do throws(WebServiceError) {
      _ = try await TransferReport.guarded { completion in
        JsonWebService.shared.download(requestData, to: file, callbackQueue: .global(), completion: completion)
      }
    } catch {
      bar.finish()
      throw context.failure("downloading", error)
    }
  }
}
