import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import Synchronization

/// Sends with AsyncHTTPClient's futures. Responses are decoded on its event loops.
struct FutureHTTPClientClient: Client {
  private let client: HTTPClient
  private let baseURL: URL

  init(_ server: ServerAddress) {
    client = HTTPClientSettings.client(trusting: server.certificate)
    baseURL = server.url
  }

  func sending(of transfer: Workload.Transfer) throws -> Sending {
    let decoder = JSONDecoder()
    switch transfer {
    case .fetch(let path):
      let request = try HTTPClient.Request(url: baseURL.appendingPathComponent(path))
      return .completion { completion in
        send(request, completion) { try decoder.decode(JokeList.self, from: $0).check() }
      }
    case .upload(let bytes):
      let request = try HTTPClient.Request(
        url: baseURL.appendingPathComponent("upload"), method: .POST,
        headers: ["Content-Type": "application/octet-stream"],
        body: .byteBuffer(ByteBuffer(repeating: 0, count: bytes)))
      return .completion { completion in
        send(request, completion) { try decoder.decode(Receipt.self, from: $0).check(bytes) }
      }
    case .download(let bytes):
      let request = try HTTPClient.Request(url: baseURL.appendingPathComponent("download"))
      return .completion { completion in
        client.execute(request: request, delegate: CountingDelegate())
          .futureResult.whenComplete { result in
            completion(Self.problem(with: result) { if $0 != bytes { throw WrongResponse.bytes($0) } })
          }
      }
    }
  }

  private func send(
    _ request: HTTPClient.Request, _ completion: @escaping @Sendable ((any Error)?) -> Void,
    read: @escaping @Sendable (ByteBuffer) throws -> Void
  ) {
    client.execute(request: request, deadline: .now() + HTTPClientSettings.timeout)
      .whenComplete { result in
        completion(
          Self.problem(with: result) { response in
            guard response.status == .ok, let body = response.body else {
              throw WrongResponse.status(Int(response.status.code))
            }
            try read(body)
          })
      }
  }

  private static func problem<Value>(
    with result: Result<Value, any Error>, check: (Value) throws -> Void
  ) -> (any Error)? {
    do {
      try check(result.get())
      return nil
    } catch {
      return error
    }
  }
}

/// Counts the bytes of a response and drops them.
private final class CountingDelegate: HTTPClientResponseDelegate {
  private let count = Atomic(0)

  func didReceiveBodyPart(task: HTTPClient.Task<Int>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    count.wrappingAdd(buffer.readableBytes, ordering: .relaxed)
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Int>) -> Int {
    count.load(ordering: .relaxed)
  }
}
