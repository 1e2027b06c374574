import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesResilience

@Suite struct CacheJournalTests {
  @Test func changesAreRememberedForEver() {
    var generator = SeededGenerator(seed: 8)
    var journal = CacheJournal()
    var lastChange: [String: UInt64] = [:]
    for _ in 0..<3000 {
      let url = "\(Int.random(in: 0..<400, using: &generator))"
      journal.noteChange(of: url)
      lastChange[url] = journal.sequence
      let asked = "\(Int.random(in: 0..<400, using: &generator))"
      let since = UInt64.random(in: 0...journal.sequence, using: &generator)
      if since < lastChange[asked] ?? 0 { #expect(!journal.isCurrent(asked, since: since)) }
      #expect(journal.isCurrent(asked, since: journal.sequence))
    }
  }
}
