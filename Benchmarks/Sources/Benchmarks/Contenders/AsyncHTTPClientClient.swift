import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import WebServices

/// Sends with AsyncHTTPClient and async/await.
struct AsyncHTTPClientClient: Client {
  private let client: HTTPClient
  private let baseURL: URL
  /// Decodes JSON in place of `JSONDecoder`; `nil` for `JSONDecoder`.
  private let ownDecoder: FeatherJSONDecoder?

  init(_ server: ServerAddress, ownDecoder: FeatherJSONDecoder? = nil) {
    self.ownDecoder = ownDecoder
    client = HTTPClientSettings.client(trusting: server.certificate)
    baseURL = server.url
  }

  func sending(of transfer: Workload.Transfer) -> Sending {
    let decoder = JSONDecoder()
    switch transfer {
    case .fetch(let path):
      let request = HTTPClientRequest(url: baseURL.appendingPathComponent(path).absoluteString)
      return .asynchronous {
        let body = try await self.body(of: request)
        guard let ownDecoder else { return try decoder.decode(JokeList.self, from: body).check() }
        try ownDecoder.decode(JokeList.self, from: Data(buffer: body)).check()
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
