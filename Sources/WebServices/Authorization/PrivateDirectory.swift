import Foundation

/// A directory that is this user's alone, held open, so that no one can put another in its place between two steps.
struct PrivateDirectory {
  typealias Failure = FileTokenStorage.Failure

  private let path: String
  private let descriptor: Int32

  /// Opens a directory; `nil` where there is none.
  ///
  /// - Parameter isTrusted: whether what is read from it will be believed, so that it must be closed to others.
  static func open(_ path: String, isTrusted: Bool = true) throws(Failure) -> PrivateDirectory? {
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      guard code != ENOENT else { return nil }
      throw FileFacts(path: path)?.refusal(of: path, as: S_IFDIR, isPrivate: false)
        ?? .system(call: "open", path: path, code: Int(code))
    }
    let directory = PrivateDirectory(path: path, descriptor: descriptor)
    if isTrusted, let refusal = FileFacts(descriptor)?.refusal(of: path, as: S_IFDIR) {
      directory.close()
      throw refusal
    }
    return directory
  }

  /// Makes the directory and those above it that are missing, closed to others from the start.
  static func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) != 0 else { return }
    if errno == ENOENT {
      let parent = (path as NSString).deletingLastPathComponent
      guard parent != path, !parent.isEmpty else { throw .system(call: "mkdir", path: path, code: Int(ENOENT)) }
      try make(parent)
      guard mkdir(path, 0o700) != 0 else { return }
    }
    // That there is something already is judged when it is opened.
    guard errno == EEXIST else { throw .system(call: "mkdir", path: path, code: Int(errno)) }
  }

  func close() {
    systemClose(descriptor)
  }

  /// The content of a file of this user's, or `nil` where there is none.
  func read(_ name: String, limit: Int) throws(Failure) -> Data? {
    let path = path(of: name)
    // Not blocking, since a pipe might stand there.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let code = errno
      guard code != ENOENT else { return nil }
      throw FileFacts(name, in: descriptor)?.refusal(of: path, as: S_IFREG)
        ?? .system(call: "open", path: path, code: Int(code))
    }
    defer { systemClose(file) }
    guard let facts = FileFacts(file) else { throw failure("fstat", name) }
    if let refusal = facts.refusal(of: path, as: S_IFREG) { throw refusal }
    guard facts.size <= limit else { throw .damaged(path: path) }
    var data = Data()
    while data.count <= limit {
      guard let piece = systemRead(file, 4096) else { throw failure("read", name) }
      guard !piece.isEmpty else { return data }
      data += piece
    }
    throw .damaged(path: path)
  }

  /// Puts a file with this content in the place of the one that is there; the place is never empty or half full.
  func replace(_ name: String, with data: Data) throws(Failure) {
    if let facts = FileFacts(name, in: descriptor),
      let refusal = facts.refusal(of: path(of: name), as: S_IFREG, isPrivate: false)
    {
      throw refusal
    }
    let temporaryName = Self.temporaryPrefix(name) + UUID().uuidString
    do throws(Failure) {
      try write(data, to: temporaryName)
      guard renameat(descriptor, temporaryName, descriptor, name) == 0 else { throw failure("rename", name) }
    } catch {
      unlinkat(descriptor, temporaryName, 0)
      throw error
    }
    // The renaming reaches the disk with the directory. Not every file system can do that, and the file is there.
    fsync(descriptor)
  }

  /// Removes a file and what was left of its replacements.
  func remove(_ name: String) throws(Failure) {
    for other in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where other.hasPrefix(Self.temporaryPrefix(name)) {
      unlinkat(descriptor, other, 0)
    }
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw failure("unlink", name) }
    fsync(descriptor)
  }

  private func write(_ data: Data, to name: String) throws(Failure) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("open", name) }
    let isWritten = systemWrite(data, to: file) && fsync(file) == 0
    let code = errno
    systemClose(file)
    guard isWritten else { throw .system(call: "write", path: path(of: name), code: Int(code)) }
  }

  private static func temporaryPrefix(_ name: String) -> String { ".\(name).new-" }

  private func path(of name: String) -> String { (path as NSString).appendingPathComponent(name) }

  private func failure(_ call: String, _ name: String) -> Failure {
    .system(call: call, path: path(of: name), code: Int(errno))
  }
}
