import Foundation

/// Manages the two files of a download that a later launch can continue: the bytes so far, and a record of their
/// version.
///
/// The record is removed before bytes of another version are written, and written before the first of them. A process
/// that ends in between leaves bytes without a record, which are ignored.
struct KeptDownload: Sendable {
  /// The content of the record's file. It holds no URL, account or credential.
  private struct Record: Codable {
    /// The hash of the URL, the account and the credentials of the request.
    var key: String
    var version: DownloadProgress.Version
  }

  /// More bytes than a record needs: a larger file wasn't written by the library.
  private static let recordLimit = 64 * 1024

  /// The file with the bytes.
  let partial: URL
  private let folder: String
  private let recordName: String
  private let key: String

  /// - Parameters:
  ///   - target: the file of the complete download.
  ///   - request: the described request.
  ///   - account: the user's name; `nil` without a user.
  ///   - redaction: names the fields that the app has declared secret.
  init(of request: TransportRequest, to target: URL, account: String?, redaction: Redaction) {
    let directory = target.deletingLastPathComponent()
    let name = "." + SHA256.hash(target.lastPathComponent.utf8).prefix(16).hexadecimal
    partial = directory.appendingPathComponent(name + ".partial")
    recordName = name + ".resume"
    folder = directory.path
    let fields = CredentialFields(redaction: redaction)
    let credentials = request.headers.filter { fields.contain($0.name) }.map { "\($0.name): \($0.value)" }
    // No account differs from an account with an empty name.
    let parts = [request.method.rawValue, request.address, account ?? "", "\(account != nil)"] + credentials
    key = SHA256.hash(ofParts: parts.map { Array($0.utf8) }).hexadecimal
  }

  /// The progress of the same request in an earlier launch; `nil` without a record of its bytes.
  func progressOfEarlierLaunch() -> DownloadProgress? {
    guard let folder = try? PrivateFolder(folder, privacy: .ignored),
      let data = try? folder.content(of: recordName, limit: Self.recordLimit, isPrivate: true),
      let record = try? JSONDecoder().decode(Record.self, from: data), record.key == key,
      let size = folder.facts(of: partial.lastPathComponent)?.size
    else { return nil }
    return DownloadProgress(continuing: record.version, received: Int64(size))
  }

  /// Records the version of the bytes that follow.
  func record(_ version: DownloadProgress.Version) throws {
    let data = try JSONEncoder().encode(Record(key: key, version: version))
    try PrivateFolder(folder, privacy: .ignored)?.replace(recordName, with: data, by: ".\(UUID().uuidString).resume")
  }

  /// Removes the record, so that the bytes are ignored.
  func removeRecord() throws {
    try PrivateFolder(folder, privacy: .ignored)?.remove(recordName)
  }

  func removeFiles() {
    try? removeRecord()
    try? FileManager.default.removeItem(at: partial)
  }

  /// Opens the file with the bytes, for this download alone.
  ///
  /// - Returns: a descriptor.
  func open() throws -> Int32 {
    // Without `O_NONBLOCK`, opening a pipe would wait for its other end. `O_NOFOLLOW` refuses a link.
    let file = Foundation.open(partial.path, O_WRONLY | O_CLOEXEC | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    if let refusal = FileFacts(file)?.refusal(of: partial.path, isFolder: false, isPrivate: false) {
      close(file)
      throw refusal
    }
    // The lock lasts until the descriptor is closed, which the end of the process does too.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw BodyFailure(description: "another download to the same file is under way")
    }
    return file
  }
}
