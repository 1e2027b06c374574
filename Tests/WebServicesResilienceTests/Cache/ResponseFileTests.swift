@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct ResponseFileTests {
  private let responses: [CachedResponse]
  private let file: Data

  init() throws {
    let whole = cachedResponse(
      ["ETag": "\"1\"", "Vary": "Accept", "Set-Cookie": "a", "set-cookie": "é"], statusCode: 404, body: "Røme",
      request: ["Accept": "text/html"], delay: 1.5, at: WallClock.start.addingTimeInterval(0.123456))
    responses = [whole, cachedResponse([:], body: "")]
    file = try #require(ResponseFile.encode(responses))
  }

  @Test func fileIsReadAsWritten() throws {
    // A slice of `Data` is read too, although its first index isn't 0.
    let read = try #require(ResponseFile.decode((Data([1, 2, 3]) + file).dropFirst(3)))
    expectEqual(read.count, 2)
    for (left, right) in zip(read, responses) {
      let (one, other) = (left.response, right.response)
      #expect(one.url == other.url && one.statusCode == other.statusCode && one.headers == other.headers)
      #expect(one.body == other.body && left.variant == right.variant)
      #expect(abs(left.requestTime.timeIntervalSince(right.requestTime)) < 1e-5)
      #expect(abs(left.responseTime.timeIntervalSince(right.responseTime)) < 1e-5)
    }
  }

  @Test func damagedFileIsInvalid() {
    let accepted = file.indices.filter { index in
      var damaged = file
      damaged[index] ^= 0x80
      return [damaged, file.prefix(index)].contains { ResponseFile.decode($0) != nil }
    }
    #expect(accepted.isEmpty)
    #expect(ResponseFile.decode(file + Data([0])) == nil)
  }

  @Test func fileHoldsNoSecretOfTheRequest() {
    let response = cachedResponse(
      ["Vary": "Authorization, Cookie"], request: ["Authorization": "Bearer s3cr3t", "Cookie": "s3cr3t"])
    #expect(ResponseFile.encode([response])?.range(of: Data("s3cr3t".utf8)) == nil)
  }

  @Test func randomContentWithValidChecksumIsReadOrRefused() {
    var generator = Chance(seed: 9)
    var readable = 0
    for _ in 0..<1000 {
      var changed = Data(file.dropFirst(8))
      let index = Int.random(in: 0..<changed.count, using: &generator)
      changed[index] = UInt8.random(in: .min ... .max, using: &generator)
      if index % 4 == 0 { changed = changed.prefix(Int.random(in: 0...changed.count, using: &generator)) }
      guard let read = ResponseFile.decode(ResponseFile.checksum(of: changed) + changed)
      else { continue }
      readable += 1
      for response in read {
        #expect(response.delivery(to: cityRequest(), at: WallClock.start, isConfirmed: false).headers["Age"] != nil)
      }
    }
    #expect(readable > 100)
  }
}
