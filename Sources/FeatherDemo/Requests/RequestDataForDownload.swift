import WebServices

/// Requests content that is written to a file.
struct RequestDataForDownload: WebServiceRequestData {
  let path: String
  let onProgress: @Sendable (TransportProgress) -> Void

  var options: RequestOptions { RequestOptions { $0.onProgress = onProgress } }
}
