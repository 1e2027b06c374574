@testable import WebServicesTestSupport

@Suite struct ServerExamplesTests {
  private struct Item: Decodable, Hashable, Sendable {
    let id: Int
  }

  @Test(arguments: [0, 1, 3, 4, 7])
  func ownMethodFetchesAllPages(total: Int) async throws {
    let backend = MockBackend { session in
      for offset in stride(from: 0, through: max(0, total - 1), by: 3) {
        let records = (offset..<min(total, offset + 3)).map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        session.script(
          .get, "/api/items", .json(#"{"offset": \#(offset), "total": \#(total), "records": [\#(records)]}"#))
      }
    }
    let back = Back(with: backend.config())
    let items = try await back.circular(path: "/items", query: ["sort": "id"], take: Item.self, batch: 3)
    expectEqual(items, (0..<total).map(Item.init))
    let queries = backend.session?.requests.compactMap { $0.url?.query }
    expectEqual(queries, stride(from: 0, through: max(0, total - 1), by: 3).map { "limit=3&offset=\($0)&sort=id" })
  }

  @Test func customServerOffersOnlyItsOwnMethod() async throws {
    let image = Data([0x89, 0x50, 0x4E, 0x47, 1, 2])
    let backend = MockBackend { session in
      session.script(.get, "/150", .data(image, headers: ["Content-Disposition": "attachment; filename=\"anna.png\""]))
      session.script(.get, "/150", .data(Data("no image".utf8)))
    }
    let pravatar = Pravatar(adjust: backend.install)
    let (loaded, name) = try await pravatar.load(id: 7, size: 150)
    expectEqual(loaded, PNGImage(data: image))
    expectEqual(name, "anna.png")
    expectEqual(backend.session?.requests.first?.url?.absoluteString, "https://i.pravatar.cc/150?img=7")
    await #expect(throws: PravatarError.invalidData) { try await pravatar.load(id: 7, size: 150) }
    let server: Server = pravatar
    await #expect(throws: PravatarError.notOffered) {
      try await server.request(type: .get, path: "/150", take: .data())
    }
    let results = Collector<Result<Data, any Error>>()
    server.request(type: .get, path: "/150", take: .data()) { results.append($0) }
    await results.waitForElements(1)
    #expect(throws: PravatarError.notOffered) { try results.elements.first?.get() }
  }
}
