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

  @Test func refreshesInProgressAreBounded() {
    var journal = CacheJournal()
    func key(_ number: Int) -> CacheKey { CacheKey(url: testURL("\(number)"), identity: nil) }
    func begin(_ number: Int, after seconds: TimeInterval = 0) -> Bool {
      journal.beginRefresh(of: key(number), at: WallClock.start.addingTimeInterval(seconds))
    }
    #expect((0..<CacheJournal.refreshLimit).filter { !begin($0) }.isEmpty)
    #expect(!begin(-1))
    journal.endRefresh(of: key(5))
    #expect(begin(-1))
    #expect(!begin(-2))
    #expect(begin(-2, after: 61))
  }
}
