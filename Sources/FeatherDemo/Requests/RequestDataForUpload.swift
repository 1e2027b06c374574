import Foundation
import WebServices

/// Sends a file.
struct RequestDataForUpload: WebServiceRequestData {
  let path: String
  let file: URL
  let onProgress: @Sendable (TransportProgress) -> Void

  /// - Parameter target: where to; `nil` means the demo's own sink.
  init(file: URL, to target: Target?, onProgress: @escaping @Sendable (TransportProgress) -> Void) {
    self.file = file
    path = target?.text ?? "uploads/\(segment: file.lastPathComponent)"
    self.onProgress = onProgress
  }

  var method: HTTPMethod { .put }
  var body: RequestBody? { .file(file) }
  /// The time counts for all of it: long enough for a large file and a slow line.
  var options: RequestOptions {
    RequestOptions {
      $0.timeout = 3_600
      $0.onProgress = onProgress
    }
  }
}
