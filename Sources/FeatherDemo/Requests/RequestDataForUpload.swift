import Foundation
import WebServices

/// Uploads a file.
struct RequestDataForUpload: WebServiceRequestData {
  let path: String
  let file: URL
  let onProgress: @Sendable (TransportProgress) -> Void

  /// - Parameter target: the URL to upload to; `nil` is the demo server's `uploads/`.
  init(file: URL, to target: Target?, onProgress: @escaping @Sendable (TransportProgress) -> Void) {
    self.file = file
    path = target?.text ?? "uploads/\(segment: file.lastPathComponent)"
    self.onProgress = onProgress
  }

  var method: HTTPMethod { .put }
  var body: RequestBody? { .file(file) }
  /// The timeout covers the whole upload, so it allows for a large file on a slow connection.
  var options: RequestOptions {
    RequestOptions {
      $0.timeout = 3_600
      $0.onProgress = onProgress
    }
  }
}
