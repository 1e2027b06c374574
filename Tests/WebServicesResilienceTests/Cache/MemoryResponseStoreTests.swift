@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// A store of each kind.
func responseStores(in folder: TemporaryFolder, limit: Int = 1 << 20) throws -> [any ResponseStore] {
  [MemoryResponseStore(limit: limit), try DiskResponseStore(directory: folder.url, limit: limit)]
}

@Suite struct MemoryResponseStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private func key(_ number: Int, _ identity: String? = nil) -> CacheKey {
    CacheKey(url: "https://api.example.com/\(number)", identity: identity)
  }

  @Test func limitRemovesTheLeastRecentlyUsed() throws {
    let response = cachedResponse([:], body: String(repeating: "x", count: 1000))
    // A file takes a block.
    for store in [
      MemoryResponseStore(limit: response.cost * 10), try DiskResponseStore(directory: folder.url, limit: 10 * 4096),
    ] as [any ResponseStore] {
      for number in 0..<10 { store.store(response, for: key(number)) }
      for number in [0, 3] { expectEqual(store.lookup(key(number)).count, 1) }
      // The eleventh makes room for a tenth more.
      store.store(response, for: key(10))
      expectEqual((0...10).filter { !store.lookup(key($0)).isEmpty }, [0, 3, 4, 5, 6, 7, 8, 9, 10])
    }
  }

  @Test func largeResponseIsNotStoredAndRemovesTheFormer() throws {
    for store in try responseStores(in: folder, limit: 80_000) {
      store.store(cachedResponse([:]), for: key(1))
      // Each directive takes more memory than its text.
      for fields in [[:], ["Cache-Control": String(repeating: "a,", count: 2_000)]] as [HTTPHeaders] {
        let text = String(repeating: "x", count: fields.isEmpty ? 20_000 : 0)
        store.store(cachedResponse(fields, body: text), for: key(1))
        #expect(store.lookup(key(1)).isEmpty)
      }
    }
  }

  @Test func keysURLsAndEverythingCanBeRemovedFromEachStore() throws {
    for store in try responseStores(in: folder) {
      let ada = identity(of: "ada")
      let keys = [key(1), key(1, ada), key(2), key(3, ada)]
      func isThere() -> [Bool] { keys.map { !store.lookup($0).isEmpty } }
      for key in keys { store.store(cachedResponse([:]), for: key) }
      store.remove(key(3, ada))
      expectEqual(isThere(), [true, true, true, false])
      store.removeAll(ofURL: key(1).url)
      expectEqual(isThere(), [false, false, true, false])
      // A removed response that still counts would leave less room for others.
      if let memory = store as? MemoryResponseStore {
        expectEqual(memory.cost, store.lookup(key(2)).reduce(0) { $0 + $1.cost })
      }
      store.removeAll()
      expectEqual(isThere(), [false, false, false, false])
      if let memory = store as? MemoryResponseStore { expectEqual(memory.cost, 0) }
    }
  }

  @Test func oldestVariantsLeaveRoomForTheNewest() throws {
    for store in try responseStores(in: folder, limit: 80_000) {
      for language in ["de", "no", "it"] {
        let body = language + String(repeating: "x", count: 4000)
        store.store(
          cachedResponse(["Vary": "Accept-Language"], body: body, request: ["Accept-Language": language]), for: key(1))
      }
      expectEqual(store.lookup(key(1)).map { $0.response.text.prefix(2) }, ["it", "no"])
    }
  }
}
