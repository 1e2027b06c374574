/// A temporary file. The test must delete it.
struct TemporaryFile: Sendable {
  let url: URL

  init(_ content: Data, name: String = "file.bin") throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent(name)
    try content.write(to: url)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}

/// A stream that generates its bytes, and records the size of the largest read.
final class MadeStream: TransportBody.Stream {
  let length: Int64?
  let isReplayable: Bool
  let opened = Collector<Void>()
  let closed = Collector<Void>()
  private let count: Int
  private let largest = Locked(0)

  init(count: Int, length: Int64?, isReplayable: Bool = true) {
    self.count = count
    self.length = length
    self.isReplayable = isReplayable
  }

  var largestPiece: Int { largest.withLock { $0 } }

  static func bytes(from offset: Int, to end: Int) -> Data {
    Data((offset..<max(offset, end)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  }

  func makeReader() throws -> any TransportBody.Reader {
    opened.add()
    return Reader(stream: self)
  }

  private final class Reader: TransportBody.Reader {
    private let stream: MadeStream
    private let offset = Locked(0)

    init(stream: MadeStream) {
      self.stream = stream
    }

    func read(upTo count: Int) throws -> Data {
      stream.largest.withLock { $0 = max($0, count) }
      return offset.withLock { offset in
        let end = min(offset + count, stream.count)
        defer { offset = end }
        return MadeStream.bytes(from: offset, to: end)
      }
    }

    func close() { stream.closed.add() }
  }
}

extension TransportBody.Stream {
  /// All bytes, read in pieces of at most this size.
  func content(inPiecesOf size: Int = 1000) throws -> Data {
    let reader = try makeReader()
    defer { reader.close() }
    var content = Data()
    while true {
      let piece = try reader.read(upTo: size)
      #expect(piece.count <= size)
      if piece.isEmpty { return content }
      content += piece
      try #require(content.count < 1 << 28, "the body doesn't end")
    }
  }
}

/// Independent parsers: Python's standard library.
enum Python {
  static let executable: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  static var isMissing: Bool { executable == nil }

  /// Runs a script, and returns its standard output.
  static func run(_ script: String, _ arguments: [String]) async throws -> Data {
    let url = URL(fileURLWithPath: try #require(executable))
    let ended = try await EndedProcess.run(url, ["-I", "-c", script] + arguments)
    expectEqual(ended.status, 0)
    return ended.output
  }
}

/// A temporary folder, deleted when this object is released.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("WebServicesTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Bytes that differ by position.
func pattern(_ count: Int) -> Data {
  Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
}
