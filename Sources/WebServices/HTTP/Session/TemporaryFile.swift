import Foundation

/// A file that no other user can read, deleted with its last reference.
package final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("WebServices-\(UUID().uuidString)")
  let handle: FileHandle

  init() throws {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let words = ErrorName.ofSystemError(errno)
      throw BodyFailure(description: "a temporary file for a long body can't be made: \(words)")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { unlink(url.path) }
}
