import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseFileTests {
  private let key = CacheKey(url: cityURL, identity: CacheIdentity(account: "ada"))
  private let digest = [UInt8](repeating: 7, count: 32)

  private var responses: [CachedResponse] {
    let whole = cachedResponse(
      ["ETag": "\"1\"", "Vary": "Accept", "Set-Cookie": "a", "set-cookie": "é"], statusCode: 404, body: "Røme",
      request: ["Accept": "text/html"], identity: key.identity, delay: 1.5,
      at: WallClock.start.addingTimeInterval(0.123456))
    return [whole, cachedResponse([:], method: .head, body: "", identity: key.identity)]
  }

  private var file: Data { ResponseFile.encode(responses, keyDigest: digest) }

  @Test func fileIsReadAsWritten() throws {
    let read = try #require(ResponseFile.decode(file, key: key, keyDigest: digest))
    #expect(read.count == 2)
    for (left, right) in zip(read, responses) {
      #expect(left.method == right.method)
      #expect(left.url == right.url)
      #expect(left.statusCode == right.statusCode)
      #expect(left.headers == right.headers)
      #expect(left.body == right.body)
      #expect(abs(left.requestTime.timeIntervalSince(right.requestTime)) < 1e-5)
      #expect(abs(left.responseTime.timeIntervalSince(right.responseTime)) < 1e-5)
      #expect(left.identity == key.identity)
      #expect(left.variant == right.variant)
    }
    // A slice of `Data` is read too, although its first index isn't 0.
    #expect(ResponseFile.decode((Data([1, 2, 3]) + file).dropFirst(3), key: key, keyDigest: digest)?.count == 2)
  }

  @Test func flippedByteInvalidatesTheFile() {
    let file = file
    let accepted = file.indices.filter { index in
      [0x01, 0x80, 0xFF].contains { (flip: UInt8) in
        var damaged = file
        damaged[index] ^= flip
        return ResponseFile.decode(damaged, key: key, keyDigest: digest) != nil
      }
    }
    #expect(accepted.isEmpty)
  }

  @Test func truncatedOrExtendedFileIsInvalid() {
    let file = file
    let accepted = (0..<file.count).filter {
      ResponseFile.decode(file.prefix($0), key: key, keyDigest: digest) != nil
    }
    #expect(accepted.isEmpty)
    #expect(ResponseFile.decode(file + Data([0]), key: key, keyDigest: digest) == nil)
  }

  @Test func fileOfAnotherKeyIsInvalid() {
    #expect(ResponseFile.decode(file, key: key, keyDigest: [UInt8](repeating: 8, count: 32)) == nil)
  }

  @Test func randomContentWithValidChecksumIsReadOrRefused() {
    var generator = SeededGenerator(seed: 9)
    let payload = file.dropFirst(ResponseFile.headLength)
    var readable = 0
    for _ in 0..<3000 {
      var changed = Data(payload)
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let index = Int.random(in: 32..<changed.count, using: &generator)
        changed[index] = UInt8.random(in: .min ... .max, using: &generator)
      }
      if Bool.random(using: &generator) {
        changed = changed.prefix(Int.random(in: 32...changed.count, using: &generator))
      }
      let whole =
        Data("FRWC".utf8) + Data([3, 0, 0, 0]) + bytes(UInt64(changed.count))
        + bytes(ResponseFile.checksum(of: changed)) + changed
      guard let read = ResponseFile.decode(whole, key: key, keyDigest: digest) else { continue }
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

  @Test func fileHoldsNoSecretAndNoIdentity() {
    let secret = "very-secret-token"
    let identity = CacheIdentity(account: secret)
    let response = cachedResponse(
      ["Vary": "Authorization, Cookie"], request: ["Authorization": "Bearer \(secret)", "Cookie": secret],
      identity: identity)
    let data = ResponseFile.encode([response], keyDigest: digest)
    #expect(data.range(of: Data(secret.utf8)) == nil)
    #expect(data.range(of: Data(identity.digest.utf8)) == nil)
  }
}
