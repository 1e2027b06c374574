import Foundation
import WebServicesFiles

/// The hidden file of a download, beside its target. It is open from the first request to the end of the download, and
/// `move()` makes it the target.
///
/// A kept file is locked while it is open: no other download may use its bytes, in this process or in another one. The
/// steps of the download follow each other, so only one thread at a time uses the file.
final class DownloadFile: Sendable {
  /// The path of the target; empty if the URL isn't a file URL.
  private let target: String
  /// The path of the hidden file.
  private let path: String
  /// `nil` if the bytes are deleted at the end.
  private let record: DownloadRecord?
  /// Guards the handle, and the key of the request for the record. Nothing is read or written with the lock held.
  private let state = Locked<(handle: FileHandle?, key: String)>((nil, ""))

  /// - Parameters:
  ///   - target: the file of the complete download.
  ///   - kept: whether a later download may continue with the bytes.
  ///   - credentials: the kind of the request's credentials, with which a kept file needs an account; `nil` without
  ///     any.
  ///   - redaction: names the fields that the app has declared secret.
  init(beside target: URL, kept: PartialDownload, credentials: String?, redaction: Redaction) {
    self.target = target.isFileURL ? target.path : ""
    let name = self.target.parts(separatedBy: "/").last ?? ""
    // The folder of the target, because `rename` can't leave a file system.
    let folder = String(decoding: self.target.utf8.dropLast(name.utf8.count), as: UTF8.self)
    guard case .kept(let account) = kept else {
      (path, record) = (folder + ".\(UUID().uuidString).download", nil)
      return
    }
    let hiddenName = "." + SHA256.hash(name.utf8).prefix(16).hexadecimal
    path = folder + hiddenName + ".partial"
    record = DownloadRecord(
      folder: folder, name: hiddenName + ".resume", account: account, credentials: credentials,
      credentialFields: CredentialFields(redaction: redaction))
  }

  // MARK: Opening

  /// Opens the file for this download alone.
  ///
  /// - Returns: the progress of an earlier download with the same request; `nil` if there is none.
  func open(for request: TransportRequest) throws -> DownloadProgress? {
    // The system would take a NUL for the end of the name.
    guard !target.isEmpty, !target.utf8.contains(0) else { throw BodyFailure(description: "it isn't a file URL") }
    try Self.checkTarget(target)
    let key = try record?.key(of: request) ?? ""
    // `O_EXCL`: a file or a link in the place of a new name isn't the download's. `O_NONBLOCK`: opening a pipe would
    // wait for its other end.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (record == nil ? O_EXCL : O_NONBLOCK)
    let descriptor = changingFile("open") { Foundation.open(path, flags, 0o666) }
    guard descriptor >= 0 else { throw POSIXError.last }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if record != nil { try lock(descriptor) }
    state.withLock { $0 = (handle, key) }
    return progress
  }

  /// Throws if something else than a regular file has the name of the target. Moving a file there would replace a pipe,
  /// a device or a link.
  static func checkTarget(_ target: String) throws {
    guard FileFacts({ lstat(target, &$0) })?.isFile ?? true
    else { throw BodyFailure(description: "\(target.parts(separatedBy: "/").last ?? "") isn't a regular file") }
  }

  /// Locks the file until it is closed, which the end of the process does too.
  private func lock(_ descriptor: Int32) throws {
    try FileFacts { fstat(descriptor, &$0) }?.check(path, isFolder: false, isPrivate: false)
    var (locked, named) = (stat(), stat())
    if changingFile("flock", { flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw POSIXError.last }
    } else if fstat(descriptor, &locked) == 0, lstat(path, &named) == 0, locked.st_ino == named.st_ino {
      return
    }
    // The other download has the lock, or it has moved or removed the file since this one opened it.
    throw BodyFailure(description: "another download to the same file is under way; wait until it has ended")
  }

  private var handle: FileHandle? { state.withLock { $0.handle } }

  /// The progress that the bytes and their record stand for.
  private var progress: DownloadProgress? {
    record?.version(for: state.withLock { $0.key }).flatMap { DownloadProgress(continuing: $0, received: size) }
  }

  // MARK: Bytes

  /// How many bytes the file has.
  var size: Int64 { handle.flatMap { try? Int64($0.seekToEnd()) } ?? 0 }

  /// Prepares for bytes that follow this many others.
  ///
  /// - Parameter version: the version of the bytes, if the response names it.
  func begin(after offset: Int64, of version: DownloadProgress.Version?) throws {
    // `truncate` would fill the gap with zeros.
    let size = size
    guard offset <= size else { throw BodyFailure(description: "another program has cut the download's hidden file") }
    if offset == 0 { try record?.remove() }
    // An earlier transfer may have written more.
    guard changingFile("truncate", { 0 }) == 0 else { throw POSIXError.last }
    // This also moves to the place.
    try handle?.truncate(atOffset: UInt64(offset))
    guard offset == 0, let version, let record, let handle else { return }
    // After a power failure, no record may name the next version while the disk has bytes of the one before.
    guard size == 0 || changingFile("fsync", { fsync(handle.fileDescriptor) }) == 0 else { return }
    try record.write(version, for: state.withLock { $0.key })
  }

  func write(_ piece: Data) throws {
    guard changingFile("write", { 0 }) == 0 else { throw POSIXError.last }
    try handle?.write(contentsOf: piece)
  }

  /// Reports a write that failed late, which a network file system tells only the caller of `close`.
  func flush() throws {
    // The copy shares the lock, so closing it doesn't unlock the file.
    guard let copy = handle.map({ fcntl($0.fileDescriptor, F_DUPFD_CLOEXEC, 0) }) else { return }
    guard copy >= 0, close(copy) == 0 else { throw POSIXError.last }
  }

  // MARK: The end

  /// Moves the file to the target, and replaces a file there in one step, which `FileManager` refuses to do.
  func move() throws {
    try Self.checkTarget(target)
    guard changingFile("rename", { rename(path, target) }) == 0 else { throw POSIXError.last }
    try? record?.remove()
    // From now on the hidden name may be that of another download.
    unlock()
  }

  /// Removes or keeps the bytes of a download that failed. Does nothing to a file that this download hasn't opened: a
  /// request that is cancelled while it is prepared ends after that work, so no file is opened later.
  func end(keepingBytes: Bool) {
    guard handle != nil else { return }
    if !keepingBytes || progress == nil {
      try? record?.remove()
      _ = changingFile("unlink") { unlink(path) }
    }
    unlock()
  }

  /// Unlocked by name: a child process that is just being started has a copy of the descriptor. Closed by name, because
  /// somebody may still hold the handle.
  private func unlock() {
    guard let handle = state.withLock({ $0.handle.take() }) else { return }
    flock(handle.fileDescriptor, LOCK_UN)
    try? handle.close()
  }
}

extension POSIXError {
  /// The error of the system's last call.
  fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// The record beside a kept file. It says which request the bytes belong to, and names their version on the server.
///
/// The record is removed before bytes of another version are written, and written before the first of them. A process
/// that ends in between leaves bytes without a record, which are ignored.
struct DownloadRecord: Sendable {
  /// The version by the key of the request. The file holds no URL, account or credential.
  private typealias Content = [String: DownloadProgress.Version]

  /// More bytes than a record needs: a larger file wasn't written by the library.
  private static let limit = 64 * 1024

  /// The path of the folder, with a slash at its end if it isn't empty.
  let folder: String
  /// The name of the record.
  let name: String
  /// The user's name; `nil` without a user.
  let account: String?
  /// The kind of the request's credentials, with which it needs an account; `nil` without any.
  let credentials: String?
  /// The fields that carry credentials.
  let credentialFields: CredentialFields

  /// The key of a described request: only a request with the same key may use the bytes. It is the hash of the URL, the
  /// account, the credentials, the media types, the languages and the `Range`.
  func key(of request: TransportRequest) throws(WebServiceError) -> String {
    guard account != nil || credentials == nil else {
      let message = "a download with credentials is kept for an account: name it in partialDownload"
      throw WebServiceError(.invalidRequest, message: message)
    }
    // A server has other bytes for other values of these, and may have one date for all of them.
    let choosing = ["accept", "accept-language", "range"]
    let fields = request.headers
      .filter { credentialFields.contain($0.name) || choosing.contains($0.name.lowercased()) }
      .map { "\($0.name): \($0.value)" }
    // No account differs from an account with an empty name. A server may have one date or tag for what it gives a user
    // and what it gives anybody.
    let parts = [request.address, String(describing: account), credentials ?? ""] + fields
    return SHA256.hash(ofParts: parts.map { Array($0.utf8) }).hexadecimal
  }

  /// The version of the bytes; `nil` if they belong to another request, or to none that is known.
  func version(for key: String) -> DownloadProgress.Version? {
    let data = try? place()?.content(of: name, limit: Self.limit, isPrivate: true)
    return try? data.flatMap { try JSONDecoder().decode(Content.self, from: $0)[key] }
  }

  func write(_ version: DownloadProgress.Version, for key: String) throws {
    try place()?.replace(name, with: JSONEncoder().encode([key: version]), by: temporaryName)
  }

  /// Removes the record, and what a killed process has left of another one.
  func remove() throws { for file in [name, temporaryName] { try place()?.remove(file) } }

  /// The name of the record while it is written, which only the download with the lock does.
  private var temporaryName: String { name + ".new" }

  /// Opens the folder. The dot makes the system follow a link: the caller may name the folder by one.
  private func place() throws -> PrivateFolder? { try PrivateFolder(folder + ".", privacy: .ignored) }
}
