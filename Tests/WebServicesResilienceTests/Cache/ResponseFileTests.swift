import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseFileTests {
  private let user = identity(of: "ada")

  private var responses: [CachedResponse] {
    let whole = cachedResponse(
      ["ETag": "\"1\"", "Vary": "Accept", "Set-Cookie": "a", "set-cookie": "é"], statusCode: 404, body: "Røme",
      request: ["Accept": "text/html"], identity: user, delay: 1.5,
      at: WallClock.start.addingTimeInterval(0.123456))
    return [whole, cachedResponse([:], method: .head, body: "", identity: user)]
  }

  private var file: Data { ResponseFile.encode(responses) }

  @Test func fileIsReadAsWritten() throws {
    let read = try #require(ResponseFile.decode(file, identity: user))
    #expect(read.count == 2)
    for (left, right) in zip(read, responses) {
      #expect(left.method == right.method)
      #expect(left.url == right.url)
      #expect(left.statusCode == right.statusCode)
      #expect(left.headers == right.headers)
      #expect(left.body == right.body)
      #expect(abs(left.requestTime.timeIntervalSince(right.requestTime)) < 1e-5)
      #expect(abs(left.responseTime.timeIntervalSince(right.responseTime)) < 1e-5)
      #expect(left.identity == user)
      #expect(left.variant == right.variant)
    }
    // A slice of `Data` is read too, although its first index isn't 0.
    #expect(ResponseFile.decode((Data([1, 2, 3]) + file).dropFirst(3), identity: user)?.count == 2)
  }

  @Test func flippedByteInvalidatesTheFile() {
    let file = file
    let accepted = file.indices.filter { index in
      [0x01, 0x80, 0xFF].contains { (flip: UInt8) in
        var damaged = file
        damaged[index] ^= flip
        return ResponseFile.decode(damaged, identity: user) != nil
      }
    }
    #expect(accepted.isEmpty)
  }

  @Test func truncatedOrExtendedFileIsInvalid() {
    let file = file
    let accepted = (0..<file.count).filter {
      ResponseFile.decode(file.prefix($0), identity: user) != nil
    }
    #expect(accepted.isEmpty)
    #expect(ResponseFile.decode(file + Data([0]), identity: user) == nil)
  }

  @Test func randomContentWithValidChecksumIsReadOrRefused() {
    var generator = SeededGenerator(seed: 9)
    let payload = file.dropFirst(ResponseFile.headLength)
    var readable = 0
    for _ in 0..<3000 {
      var changed = Data(payload)
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let index = Int.random(in: 0..<changed.count, using: &generator)
        changed[index] = UInt8.random(in: .min ... .max, using: &generator)
      }
      if Bool.random(using: &generator) {
        changed = changed.prefix(Int.random(in: 0...changed.count, using: &generator))
      }
      let whole =
        Data("FRWC".utf8) + Data([4, 0, 0, 0]) + bytes(UInt64(changed.count))
        + bytes(ResponseFile.checksum(of: changed)) + changed
      guard let read = ResponseFile.decode(whole, identity: user) else { continue }
      readable += 1
      for response in read {
        #expect(response.webServiceResponse(to: .get, at: WallClock.start, isConfirmed: false).headers["Age"] != nil)
      }
    }
    #expect(readable > 100)
  }

  private func bytes(_ number: UInt64) -> Data {
    Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  @Test func fileHoldsNoSecretAndNoIdentity() throws {
    let secret = "very-secret-token"
    let identity = try #require(CacheIdentity(credentials: [secret], salt: Data()))
    let response = cachedResponse(
      ["Vary": "Authorization, Cookie"], request: ["Authorization": "Bearer \(secret)", "Cookie": secret],
      identity: identity)
    let data = ResponseFile.encode([response])
    #expect(data.range(of: Data(secret.utf8)) == nil)
    #expect(data.range(of: Data(identity.digest.utf8)) == nil)
  }
}
