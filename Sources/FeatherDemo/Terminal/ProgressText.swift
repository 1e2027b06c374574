import WebServices

/// Formats the progress of a transfer, such as `downloading: 42%, 4.2 MB of 10.0 MB`.
enum ProgressText {
  static func line(_ step: String, _ progress: TransportRequest.Progress?) -> String {
    guard let progress else { return step }
    let isUpload = progress.expectedToSend ?? 0 > 0
    let done = isUpload ? progress.sent : progress.received
    guard let total = isUpload ? progress.expectedToSend : progress.expectedToReceive, total > 0 else {
      return "\(step): \(Wording.bytes(done))"
    }
    // A server may send more bytes than it announced, and only a complete transfer shows 100.
    let percent = done < total ? min(99, done * 100 / total) : 100
    return "\(step): \(percent)%, \(Wording.bytes(done)) of \(Wording.bytes(total))"
  }
}
