@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct HelpTextTests {
  @Test(arguments: Command.allCases)
  func helpNamesItsOptionsWithin80Columns(_ command: Command) {
    let lines = HelpText.text(for: command).split(separator: "\n")
    expectEqual(lines.first?.hasPrefix("Usage: FeatherDemo"), true)
    #expect(lines.allSatisfy { $0.count <= 80 })
    for option in Parameter.allOptions {
      let isListed = lines.contains { $0.hasPrefix("  \(option.name) ") }
      #expect(isListed == command.facts.options.contains { $0.name == option.name }, "\(option.name)")
    }
  }

  @Test func mainHelpNamesEveryCommand() {
    let text = HelpText.text(for: .signInAndJokes)
    for command in Command.allCases.dropFirst() { #expect(text.contains("\n  \(command.rawValue) ")) }
    #expect(text.contains(DemoAccount.password) && text.contains("FEATHER_PASSWORD"))
  }
}
