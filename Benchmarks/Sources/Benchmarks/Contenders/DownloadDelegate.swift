import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Counts the bytes of a session's responses and drops them.
final class DownloadDelegate: NSObject, URLSessionDataDelegate {
  private struct Download: Sendable {
    var expectedBytes: Int
    var bytes = 0
    var completion: @Sendable ((any Error)?) -> Void
  }

  /// The downloads in progress by the task's number. Completions run without the lock.
  private let downloads = Mutex<[Int: Download]>([:])

  /// Call this before you resume the task.
  func expect(
    _ bytes: Int, by task: URLSessionTask, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let identifier = task.taskIdentifier
    downloads.withLock { $0[identifier] = Download(expectedBytes: bytes, completion: completion) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let identifier = dataTask.taskIdentifier
    downloads.withLock { $0[identifier]?.bytes += data.count }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let identifier = task.taskIdentifier
    guard let download = downloads.withLock({ $0.removeValue(forKey: identifier) }) else { return }
    let isComplete = download.bytes == download.expectedBytes
    download.completion(error ?? (isComplete ? nil : WrongResponse.bytes(download.bytes)))
  }
}
