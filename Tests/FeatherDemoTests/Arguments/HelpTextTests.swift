import Foundation
import Testing

@testable import FeatherDemo

@Suite struct HelpTextTests {
  @Test(arguments: Command.allCases)
  func commandHelpListsOnlyItsOwnOptions(_ command: Command) {
    let options = HelpText.text(for: command).components(after: "Options:")
    for option in Option.allCases {
      #expect(options.contains("  \(option.rawValue) ") == option.applies(to: command), "\(option)")
    }
    #expect(options.contains("--help") && options.contains("--version"))
  }

  @Test(arguments: Command.allCases)
  func helpLinesFit80Columns(_ command: Command) {
    let lines = HelpText.text(for: command).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first?.hasPrefix("Usage: FeatherDemo") == true)
  }

  @Test func theMainHelpNamesEveryCommand() {
    let text = HelpText.text(for: .signInAndJokes)
    for name in Command.allCases.compactMap(\.name) {
      #expect(text.contains("\n  \(name) "))
    }
    #expect(text.contains(DemoAccount.password) && text.contains("FEATHER_PASSWORD"))
  }
}

extension String {
  fileprivate func components(after marker: String) -> String {
    range(of: marker).map { String(self[$0.upperBound...]) } ?? ""
  }
}
