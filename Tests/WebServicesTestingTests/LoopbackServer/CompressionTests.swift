import Foundation
import Testing
import WebServices
import WebServicesTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct CompressionTests {
  /// Loads the response with a real client.
  private func fetch(_ response: LoopbackServer.Response) async throws -> Result<Data, any Error> {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/", response)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    return await withCheckedContinuation { continuation in
      session.dataTask(with: server.url("/")) { data, _, error in
        continuation.resume(returning: error.map { .failure($0) } ?? .success(data ?? Data()))
      }.resume()
    }
  }

  @Test(arguments: [0, 1, 300, 200_000])
  func compressedBodiesRoundTrip(count: Int) async throws {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(try await fetch(.gzip(data)).get() == data)
    #expect(try await fetch(.deflate(data)).get() == data)
  }

  @Test(arguments: [0, 1, 2, 258, 259, 260, 5_000_001])
  func bombDecompressesToItsZeros(count: Int) async throws {
    #expect(try await fetch(.decompressionBomb(bytes: count)).get() == Data(count: count))
  }

  @Test func bombIsSmall() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/", LoopbackServer.Response.decompressionBomb(bytes: 50_000_000).then(.close))
    let client = try RawClient(server)
    client.get("/")
    #expect(try client.count(upTo: .max) < 400_000)
  }

  @Test func truncatedGzipLacksItsEnd() async throws {
    // libcurl accepts a truncated body.
    let data = try? await fetch(.truncatedGzip(Data(repeating: 7, count: 1000))).get()
    #expect((data?.count ?? 0) < 1000)
  }

  @Test func wrongCompressionFails() async throws {
    for response in [
      LoopbackServer.Response.encoded(Data("not gzip".utf8), as: "gzip"),
      .encoded(Data("x".utf8), as: "feathers"),
    ] {
      let result = try await fetch(response)
      #expect(throws: (any Error).self) { try result.get() }
    }
  }
}
