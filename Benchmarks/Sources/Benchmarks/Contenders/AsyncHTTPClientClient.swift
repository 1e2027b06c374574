import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat

/// Sends with AsyncHTTPClient and async/await.
struct AsyncHTTPClientClient: Client {
  private let client: HTTPClient
  private let baseURL: URL

  init(_ server: ServerAddress) {
    client = HTTPClientSettings.client(trusting: server.certificate)
    baseURL = server.url
  }

  func sending(of transfer: Workload.Transfer) -> Sending {
    let decoder = JSONDecoder()
    switch transfer {
    case .fetch(let path):
      let request = HTTPClientRequest(url: baseURL.appendingPathComponent(path).absoluteString)
      return .asynchronous {
        try await decoder.decode(JokeList.self, from: self.body(of: request)).check()
      }
    case .upload(let bytes):
      var request = HTTPClientRequest(url: baseURL.appendingPathComponent("upload").absoluteString)
      request.method = .POST
      request.headers.add(name: "Content-Type", value: "application/octet-stream")
      request.body = .bytes(ByteBuffer(repeating: 0, count: bytes))
      return .asynchronous { [request] in
        try await decoder.decode(Receipt.self, from: self.body(of: request)).check(bytes)
      }
    case .download(let bytes):
      let request = HTTPClientRequest(url: baseURL.appendingPathComponent("download").absoluteString)
      return .asynchronous {
        var count = 0
        for try await piece in try await self.response(to: request).body {
          count += piece.readableBytes
        }
        if count != bytes { throw WrongResponse.bytes(count) }
      }
    }
  }

  private func body(of request: HTTPClientRequest) async throws -> ByteBuffer {
    try await response(to: request).body.collect(upTo: HTTPClientSettings.bodyLimit)
  }

  private func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
    let response = try await client.execute(request, timeout: HTTPClientSettings.timeout)
    guard response.status == .ok else { throw WrongResponse.status(Int(response.status.code)) }
    return response
  }
}
