import Foundation
import Testing

@testable import FeatherDemo

@Suite struct InvocationTests {
  @Test func noWordMeansTheMainScreen() throws {
    #expect(try Invocation([]) == .run(Arguments()))
    #expect(Arguments().count == 10)
  }

  @Test func everyCommandIsKnown() throws {
    for command in Command.allCases {
      let words = [command.name].compactMap { $0 }
      #expect(try Invocation(words) == .run(Arguments(command: command)))
    }
  }

  @Test func optionsStandAnywhereAndTakeTheirValueInTwoWays() throws {
    let url = try #require(URL(string: "http://127.0.0.1:80/v1"))
    let expected = Arguments(
      command: .jokes, count: 3, baseURL: url, user: "ann", isVerbose: true, printsJSON: true)
    let separated = [
      "--verbose", "jokes", "--count", "3", "--base-url", "http://127.0.0.1:80/v1", "--user", "ann", "--json",
    ]
    let attached = [
      "--json", "--count=3", "--user=ann", "--base-url=http://127.0.0.1:80/v1", "jokes", "--verbose",
    ]
    #expect(try Invocation(separated) == .run(expected))
    #expect(try Invocation(attached) == .run(expected))
  }

  @Test func aValueIsNoCommand() throws {
    #expect(
      try Invocation(["--user", "jokes", "signin"]) == .run(Arguments(command: .signIn, user: "jokes")))
  }

  @Test func theLastOfTwoCounts() throws {
    #expect(try Invocation(["--count", "3", "--count=4"]) == .run(Arguments(count: 4)))
  }

  @Test func helpComesBeforeAllElse() throws {
    #expect(try Invocation(["--help"]) == .help(.signInAndJokes))
    #expect(try Invocation(["-h"]) == .help(.signInAndJokes))
    #expect(try Invocation(["jokes", "--help"]) == .help(.jokes))
    #expect(try Invocation(["--help", "serve"]) == .help(.serve))
    #expect(try Invocation(["--count", "x", "jokes", "--nonsense", "-h"]) == .help(.jokes))
    #expect(try Invocation(["help"]) == .help(.signInAndJokes))
    #expect(try Invocation(["help", "signin"]) == .help(.signIn))
    #expect(try Invocation(["jokes", "--version"]) == .version)
  }

  @Test(arguments: [
    ["joke"], ["jokes", "signin"], ["help", "joke"], ["--nonsense"], ["-x"], ["-"], ["--"], [""],
    ["jokes", "--count"], ["jokes", "--count", "--json"], ["jokes", "--count="], ["--verbose=yes"],
    ["jokes", "--count", "0"], ["jokes", "--count", "-1"], ["jokes", "--count", "101"],
    ["jokes", "--count", "ten"], ["jokes", "--count", "1.5"], ["jokes", "--count", "1,000"],
    ["jokes", "--count", "99999999999999999999"], ["jokes", "--count", "٣"],
    ["signin", "--count", "3"], ["signin", "--port", "1"], ["serve", "--user", "a"],
    ["serve", "--base-url", "http://a"], ["serve", "--port", "65536"], ["serve", "--port", "-1"],
    ["signin", "--user", ""],
  ])
  func wrongUsageIsExplainedInOneLine(_ words: [String]) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(words) }
    #expect(!error.message.isEmpty && !error.message.contains("\n"))
    #expect(error.message.hasSuffix("."))
  }

  @Test(arguments: [
    "", "nonsense", "127.0.0.1:80", "ftp://host", "http://", "http:///path", "http://host:99999",
    "http://host:0", "http://host:x", "http://a b", "http://user@host", "http://user:hunter2@host",
  ])
  func aBadBaseURLIsRefusedAndNotRepeated(_ url: String) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(["signin", "--base-url", url]) }
    #expect(error.message.hasPrefix("--base-url"))
    #expect(!error.message.contains("hunter2"))
    #expect(error.helpInvocation == "FeatherDemo signin --help")
  }

  @Test(arguments: ["http://a", "HTTPS://a.example/v1/", "http://[::1]:8080", "http://127.0.0.1:65535"])
  func aGoodBaseURLIsTaken(_ url: String) throws {
    #expect(try Invocation(["--base-url", url]) == .run(Arguments(baseURL: URL(string: url))))
  }

  @Test(arguments: [["--password", "hunter2"], ["--password=hunter2"], ["signin", "--password", "hunter2"]])
  func aPasswordIsRefusedAndNotRepeated(_ words: [String]) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(words) }
    #expect(error.message.contains("FEATHER_PASSWORD"))
    #expect(!error.message.contains("hunter2"))
  }

  @Test func theValueOfAnUnknownOptionIsNotRepeated() throws {
    let error = try #require(throws: UsageError.self) { try Invocation(["--passwort=hunter2"]) }
    #expect(error.message == "there is no option --passwort.")
  }
}
