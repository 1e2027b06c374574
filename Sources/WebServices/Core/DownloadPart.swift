import Foundation

/// The server sent another part of the file than it was asked for.
struct WrongPart: Error, CustomStringConvertible {
  let description = "the response is another part of the file than the request asked for"
}

/// The files that a download needs before it is whole: in a hidden folder beside the target, so that the last move is one
/// step, and so that a transport that opens its file after the end has nowhere to leave it.
struct DownloadPart: Sendable {
  /// Where the download goes in the end.
  let target: URL
  private let folder: URL
  /// What has come so far.
  let collected: URL
  /// Where the exchange under way writes.
  let next: URL

  init(of target: URL) {
    self.target = target
    let name = ".\(UUID().uuidString).download"
    folder = target.deletingLastPathComponent().appendingPathComponent(name, isDirectory: true)
    collected = folder.appendingPathComponent("collected")
    next = folder.appendingPathComponent("next")
  }

  /// Makes the folder. Where that can't be, the request finds no place for its file, and says so.
  func prepare() {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  /// The bytes that the exchange under way has brought; `nil` where it has written nothing.
  var size: Int64? { AnswerFile.size(of: next) }

  /// Does what there is to be done with the bytes of an exchange.
  func take(_ piece: DownloadProgress.Piece) throws {
    switch piece {
    case .whole: try Self.replace(collected, with: next)
    case .rest: try append()
    case .unusable: throw WrongPart()
    }
  }

  func moveIntoPlace() throws {
    try Self.replace(target, with: collected)
  }

  func remove() {
    // A file that is opened at this moment gets in the way once.
    for _ in 0..<3 where (try? FileManager.default.removeItem(at: folder)) == nil {
      guard FileManager.default.fileExists(atPath: folder.path) else { return }
    }
  }

  private func append() throws {
    let source = try FileHandle(forReadingFrom: next)
    defer { try? source.close() }
    let destination = try FileHandle(forWritingTo: collected)
    defer { try? destination.close() }
    try destination.seekToEnd()
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
      try destination.write(contentsOf: piece)
    }
    try FileManager.default.removeItem(at: next)
  }

  /// In one step, as POSIX promises of `rename`: `FileManager` refuses to replace what is there.
  private static func replace(_ target: URL, with source: URL) throws {
    let status = source.withUnsafeFileSystemRepresentation { source in
      target.withUnsafeFileSystemRepresentation { target in
        guard let source, let target else { return Int32(-1) }
        return rename(source, target)
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
