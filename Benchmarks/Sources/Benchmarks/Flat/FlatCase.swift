import BenchmarkServer
import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A large body that should be transferred without being held in memory as a whole.
struct FlatCase: Sendable {
  /// The session that transfers the body. `FoundationSession` is the default on Apple's systems.
  enum Session: String, CaseIterable, Sendable {
    case standard = "default session", foundation = "FoundationSession", urlSession = "over URLSession"

    func make() -> (any URLSessionProtocol)? {
      switch self {
      case .standard: nil
      case .foundation: FoundationSession()
      case .urlSession: URLSession(configuration: .webServices)
      }
    }
  }

  static let bytes = Payloads.downloadBytes

  let name: String
  let title: String
  private let run: @Sendable (JsonWebService, URL) async throws -> Int

  static let all: [FlatCase] = [
    FlatCase(name: "upload-file", title: "upload, a file as the body") { service, folder in
      try await upload(.file(try file(in: folder), contentType: "application/octet-stream"), service)
    },
    FlatCase(name: "upload-multipart", title: "upload, a file as a part of a multipart body") { service, folder in
      try await upload(.multipart(MultipartBody([.field("a", "b"), .file("file", try file(in: folder))])), service)
    },
    FlatCase(name: "download-file", title: "download to a file") { service, folder in
      let file = folder.appendingPathComponent("download")
      try await service.download(FlatRequest(path: "download"), to: file)
      return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    },
    FlatCase(name: "download-stream", title: "download as a stream of pieces") { service, _ in
      var count = 0
      for try await piece in try await service.stream(FlatRequest(path: "download"), as: .data) { count += piece.count }
      return count
    },
  ]

  static func named(_ name: String) -> FlatCase? {
    all.first { $0.name == name }
  }

  /// - Returns: the peak of the memory, beyond the memory of a small request before.
  func measure(_ session: Session, url: URL) async throws -> (growth: Int, seconds: Double) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Flat-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try Self.file(in: folder)
    let service = JsonWebService(
      session: session.make(), configuration: WebServiceConfiguration(baseURL: url))
    _ = try await service.sendRequest(FlatRequest(path: "jokes"), as: JokeList.self)
    Memory.resetPeak()
    let (memory, start) = (Memory.resident, ResourceUsage.now)
    let count = try await run(service, folder)
    let used = ResourceUsage.now - start
    guard count >= Self.bytes else { throw WrongResponse.bytes(count) }
    withExtendedLifetime(file) {}
    return (Memory.peak - memory, used.seconds)
  }

  private static func upload(_ body: RequestBody, _ service: JsonWebService) async throws -> Int {
    let request = FlatRequest(path: "upload", method: .post, body: body)
    return try await service.sendRequest(request, as: Receipt.self).received
  }

  /// Makes the file to upload before the measurement, without holding its content.
  private static func file(in folder: URL) throws -> URL {
    let file = folder.appendingPathComponent("upload")
    guard !FileManager.default.fileExists(atPath: file.path) else { return file }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let piece = Data(repeating: 0x78, count: 1_000_000)
    for _ in 0..<(bytes / piece.count) { try handle.write(contentsOf: piece) }
    try handle.close()
    return file
  }
}

private struct FlatRequest: WebServiceRequestData {
  var path: String
  var method = HTTPMethod.get
  var body: RequestBody?
}
