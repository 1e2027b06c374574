import Foundation
import WebServices
import WebServicesFiles

/// The files of a world, which outlive a process. They are real ones, and the calls that change them may fail.
///
/// Unchecked, because only the simulated thread uses the object.
final class Disk: @unchecked Sendable {
  var isFull = false
  /// Whether the process was killed: it changes nothing any more.
  private(set) var isDead = false
  /// The changes until the process is killed; `nil` if it isn't.
  private var changesLeft: Int?
  private var hasFolder = false
  private let onDeath: () -> Void

  init(onDeath: @escaping () -> Void) { self.onDeath = onDeath }

  /// The folder for everything, which is made by the first call.
  private(set) lazy var folder: URL = {
    // In memory if the system has such a folder, because token files are flushed.
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("simulation-\(UUID().uuidString)")
    mkdir(folder.path, 0o700)
    hasFolder = true
    return folder
  }()

  /// Removes the folder.
  ///
  /// - Returns: the names of its files.
  func removeFolder() -> [String] {
    guard hasFolder else { return [] }
    defer { try? FileManager.default.removeItem(at: folder) }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// Whether something in the folder is still open. Other threads of the process may have files of their own.
  var hasOpenFiles: Bool {
    guard hasFolder, let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      return false
    }
    return files.contains { file in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
      return target?.hasPrefix(folder.path + "/") == true
    }
  }

  var fault: DiskFault {
    DiskFault { [self] call in
      if let left = changesLeft { left == 0 ? kill() : (changesLeft = left - 1) }
      if isDead { return EIO }
      return isFull && ["open", "write", "mkdir", "link"].contains(call) ? ENOSPC : nil
    }
  }

  func kill(afterChanges count: Int) { changesLeft = count }

  func kill() {
    guard !isDead else { return }
    (isDead, changesLeft) = (true, nil)
    onDeath()
  }

  func revive() { isDead = false }
}

/// The storage of a user's token, which several processes share. It knows what a load may find: the value that was
/// written last, or one of two if a process was killed while it wrote.
final class WorldStorage: LockableTokenStorage, @unchecked Sendable {
  private var token: StoredToken?
  private var allowed: Set<StoredToken?> = [nil]
  /// `nil` for a storage in memory.
  private let file: FileTokenStorage?
  private unowned let world: World

  init(_ world: World, file: FileTokenStorage?) { (self.world, self.file) = (world, file) }

  func lock() -> (@Sendable () -> Void)? { file.map { $0.lock() } ?? {} }

  func load() throws -> StoredToken? {
    guard let file, !world.disk.isDead else { return token }
    do {
      let found = try file.load()
      let isKnown = allowed.contains { $0?.apiToken == found?.apiToken && $0?.refreshToken == found?.refreshToken }
      if !isKnown { world.note(.broken("the storage has \(found?.apiToken ?? "no token"), which wasn't written last")) }
      allowed = [found]
      return found
    } catch {
      world.note(.broken("the storage is damaged: \(error)"))
      throw error
    }
  }

  func save(_ token: StoredToken) throws {
    world.note(.stored(token))
    try change(to: token) { try file?.save(token) }
  }

  func clear() throws { try change(to: nil) { try file?.clear() } }

  private func change(to next: StoredToken?, _ work: () throws -> Void) throws {
    guard !world.disk.isDead else { throw POSIXError(.EIO) }
    do {
      try work()
      (token, allowed) = (next, [next])
    } catch {
      // A killed process may have written the value, and nobody knows.
      if world.disk.isDead { allowed.insert(next) }
      throw error
    }
  }
}
