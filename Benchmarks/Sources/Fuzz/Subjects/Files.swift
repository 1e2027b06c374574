import Foundation
import ImmediateSession
import WebServices
import WebServicesTesting

extension Subject {
  /// The parsers of files, whole and damaged.
  static let files: [Subject] = [
    Subject(
      "Cassette", samples: cassetteSamples, words: jsonWords + ["\"encoding\":\"base64\"", "\"status\":", "\"text\":"]
    ) {
      input in
      guard let cassette = try? Cassette(data: input.data) else { return }
      let data = try cassette.data()
      try Finding.check((try? Cassette(data: data)) == cassette, "a cassette comes back as another one")
    },
    Subject(
      opening: "FileTokenStorage", weight: 3, samples: tokenSamples,
      words: jsonWords + ["\"apiToken\"", "\"expiresAt\""]
    ) { directory in
      let file = directory.appendingPathComponent("tokens/token")
      let storage = FileTokenStorage(url: file)
      try storage.save(StoredToken(apiToken: "a", expiresAt: Date()))
      return { (input: inout FuzzInput) in
        // The file is changed in place, which keeps its permissions.
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: input.data)
        try handle.close()
        do {
          let token = try storage.load()
          try Finding.check(token?.apiToken.isEmpty == false, "a damaged file counts as no token")
        } catch is FileTokenStorage.Failure {}
      }
    },
    Subject(
      opening: "ResponseCache on disk", weight: 3,
      samples: ["\u{1}\u{0}\u{8}a", "\u{0}\u{2}\u{0}\u{0}", "edit\u{1}\u{1}\u{1}"]
    ) { directory in
      let damaged = try await DamagedCache(directory)
      return { (input: inout FuzzInput) in damaged.read(after: input.bytes) }
    },
  ]

  private static let cassetteSamples = [
    """
    {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-11-24T10:00:00.5Z","time":1.5,"request":{
    "method":"POST","url":"https://api.example.com/a?b=c","headers":[{"name":"Accept","value":"*/*"}],
    "postData":{"mimeType":"a/b","text":"{}","params":[{"name":"a","value":"b"}]}},"response":{"status":200,
    "headers":[{"name":"Content-Encoding","value":"gzip"}],"content":{"size":2,"text":"Af8=","encoding":"base64"}}},
    {"request":{"method":"GET","url":"/"},"response":{"status":0,"_kind":"tls","_error":"a"}}]}}
    """, "{\"log\":{\"entries\":[]}}",
  ]
  private static let tokenSamples = [
    "{\"apiToken\":\"abc\",\"expiresAt\":800000000.5,\"refreshToken\":\"def\"}",
    "{\"apiToken\":\"\",\"expiresAt\":-1e300}", "{\"apiToken\":\"x\",\"expiresAt\":1e308}", "",
  ]
}

/// A disk cache with one response. Each input damages its file in another way.
private final class DamagedCache: Sendable {
  private let cache: ResponseCache
  private let request: TransportRequest
  private let file: URL
  private let content: [UInt8]

  init(_ directory: URL) async throws {
    let cache = try ResponseCache(directory: directory)
    self.cache = cache
    let url = URL(string: "https://api.example.com/kept") ?? directory
    request = TransportRequest(url: url)
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Content-Type": "text/plain", "ETag": "\"a\""]
    let session = ImmediateSession { request in
      .success(WebServiceResponse(statusCode: 200, headers: headers, url: request.url, body: Data("kept".utf8)))
    }
    let service = JsonWebService(
      session: session, reachability: AlwaysReachable(),
      configuration: WebServiceConfiguration(layers: [.cache(cache)]))
    _ = await Subject.result(of: FuzzRequest(path: url.absoluteString), service)
    let folder = directory.appendingPathComponent("responses")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("-") }
    guard let name = names.first, cache.plan(for: request, identity: nil).delivered != nil else {
      throw Finding(message: "the cache keeps nothing")
    }
    file = folder.appendingPathComponent(name)
    content = Array(try Data(contentsOf: file))
  }

  /// Reads the damaged cache. The first byte of the input selects variants, and each three bytes after it change one
  /// byte of the file. One variant corrects the checksum, so that the parsers behind it get the damage.
  func read(after edits: [UInt8]) {
    var bytes = content
    var rest = edits.dropFirst()[...]
    while rest.count >= 3 {
      let edit = Array(rest.prefix(3))
      bytes[(Int(edit[0]) << 8 | Int(edit[1])) % bytes.count] = edit[2]
      rest = rest.dropFirst(3)
    }
    let kind = edits.first ?? 0
    if kind & 2 != 0 { bytes.removeLast(Int(kind) % bytes.count) }
    if kind & 1 != 0, bytes.count > 8 { mend(&bytes) }
    try? Data(bytes).write(to: file)
    _ = cache.plan(for: request, identity: nil)
  }

  /// Corrects the checksum. The code repeats `ResponseFile.checksum`, which is internal.
  private func mend(_ bytes: inout [UInt8]) {
    let sum = bytes.dropFirst(8).reduce(0xCBF2_9CE4_8422_2325 ^ 5 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: sum >> UInt64(place * 8)) }
  }
}
