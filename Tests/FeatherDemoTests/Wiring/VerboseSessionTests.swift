import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct VerboseSessionTests {
  private func exchange(
    _ answer: MockAnswer, path: String = "/a", headers: HTTPHeaders = HTTPHeaders()
  ) async throws -> [String] {
    let mock = MockURLSession()
    mock.script(.get, "/a", answer)
    let lines = Locked<[String]>([])
    let session = VerboseSession(mock, redaction: .standard) { line in lines.withLock { $0.append(line) } }
    let url = try #require(URL(string: "http://host\(path)"))
    await withCheckedContinuation { continuation in
      let task = session.transferTask(with: TransportRequest(url: url, headers: headers)) { _ in
        continuation.resume()
      }
      task.resume()
    }
    return lines.withLock { $0 }
  }

  @Test func anExchangeIsTwoLines() async throws {
    let lines = try await exchange(.text("1"))
    #expect(lines.count == 2)
    #expect(lines.first == "> GET http://host/a, no body, []")
    #expect(lines.last?.hasPrefix("< 200 GET http://host/a, ") == true)
    #expect(lines.last?.contains(" ms, 1 byte, [") == true)
  }

  @Test func secretsAreHidden() async throws {
    let answer = MockAnswer.response(headers: ["Set-Cookie": "hunter2"])
    let lines = try await exchange(answer, path: "/a?token=hunter2", headers: ["api-token": "hunter2"])
    #expect(lines.allSatisfy { !$0.contains("hunter2") && $0.contains("<redacted>") })
  }

  @Test func aFailureSaysWhich() async throws {
    let lines = try await exchange(.failure(URLError(.cannotConnectToHost)))
    #expect(lines.last?.hasPrefix("< no answer to GET http://host/a, ") == true)
    #expect(lines.last?.contains("cannotConnect") == true)
  }
}

extension MockAnswer {
  fileprivate static func text(_ text: String) -> MockAnswer { .response(body: Data(text.utf8)) }
}
