import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite(.leavesNothing) struct CachingOnDiskTests {
  private let folder: TemporaryFolder
  private let moment = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private var directory: URL { folder.url.appendingPathComponent("cache") }

  /// A service as in a new process: it shares only the folder with the others.
  private func harness() throws -> VirtualHarness<HeldSession> {
    let store = try DiskResponseStore(directory: directory)
    return VirtualHarness.held { [moment] in $0.layers = [.cache(ResponseCache(store: store) { moment })] }
  }

  private func ask(_ harness: VirtualHarness<HeldSession>, sends: Bool) async -> [City?] {
    let (_, results) = harness.send()
    if sends {
      await harness.session.waitForTransfers(1)
      harness.session.open.first?.respond(200, ["Cache-Control": "max-age=60", "Date": HTTPDate.string(from: moment)])
    }
    await results.waitForElements(1)
    #expect(harness.session.transfers.count == (sends ? 1 : 0))
    return results.elements.map(\.model)
  }

  @Test func storedResponseServesTheNextService() async throws {
    #expect(try await ask(harness(), sends: true) == [City(name: "Bath")])
    #expect(try await ask(harness(), sends: false) == [City(name: "Bath")])
  }
}
