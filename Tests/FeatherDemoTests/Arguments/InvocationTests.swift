import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct InvocationTests {
  @Test func noArgumentsRunTheDefaultCommand() throws {
    #expect(try Invocation([]) == .run(Arguments()))
    #expect(Arguments().count == 10)
  }

  @Test func everyCommandIsKnown() throws {
    for command in Command.allCases where command.operands.isEmpty {
      let words = [command.name].compactMap { $0 }
      #expect(try Invocation(words) == .run(Arguments(command: command)))
    }
  }

  @Test func wordsAfterACommandAreItsOperands() throws {
    let url = try #require(URL(string: "http://host/a"))
    #expect(
      try Invocation(["request", "PURGE", "http://host/a"])
        == .run(Arguments(command: .request, method: HTTPMethod(rawValue: "PURGE"), target: .address(url))))
    #expect(
      try Invocation(["--verbose", "download", "files/5M", "--json", "out"])
        == .run(
          Arguments(
            command: .download, target: .path("files/5M"), file: "out", isVerbose: true, printsJSON: true)))
    #expect(
      try Invocation(["upload", "a", "--to=http://host/a"])
        == .run(Arguments(command: .upload, target: .address(url), file: "a")))
  }

  @Test func requestOptionsSetHeadersAndBody() throws {
    let words = ["request", "POST", "a", "--header", "Accept:text/plain ", "--header=X:", "--output", "o", "--curl"]
    let expected = Arguments(
      command: .request, method: .post, target: .path("a"), headers: ["Accept": "text/plain", "X": ""],
      outputFile: "o", printsCurlCommand: true)
    #expect(try Invocation(words) == .run(expected))
    for (option, body) in [
      (["--data", "a=b"], BodyArgument.text("a=b")), (["--data", "@a/b"], .file("a/b")),
      (["--json", #"{"a": 1}"#], .json(#"{"a": 1}"#)), (["--data=-"], .text("-")),
    ] {
      let arguments = Arguments(command: .request, method: .post, target: .path("a"), body: body)
      #expect(try Invocation(["request", "POST", "a"] + option) == .run(arguments))
    }
  }

  @Test(arguments: [
    ["request"], ["request", "GET"], ["request", "GET", "a", "b"], ["request", "G ET", "a"], ["request", "", "a"],
    ["request", "GET", ""], ["request", "GET", "ftp://host/"], ["request", "GET", "localhost:80/"],
    ["request", "GET", "http://user:hunter2@host/"], ["request", "GET", "http:///a"],
    ["request", "GET", "a", "--header", "hunter2"], ["request", "GET", "a", "--header", ":hunter2"],
    ["request", "GET", "a", "--header", "A: hunter2\r\nB: c"], ["request", "GET", "a", "--header", "A b: hunter2"],
    ["request", "GET", "a", "--json", "{hunter2"], ["request", "GET", "a", "--json"],
    ["request", "GET", "a", "--json", "1", "--data", "hunter2"], ["request", "GET", "a", "--data", "@"],
    ["request", "GET", "a", "--output="], ["download", "a"], ["download", "a", ""], ["download", "a", "b", "c"],
    ["upload"], ["upload", "a", "--to", "http://u:hunter2@host"], ["upload", "a", "--data", "hunter2"],
    ["items", "--page-size", "0"], ["items", "--page-size", "101"], ["items", "--all=yes"], ["items", "--count", "1"],
    ["watch", "--count", "0"], ["watch", "--user", "a"], ["outage", "--json"], ["outage", "now"],
  ])
  func invalidArgumentsAreExplainedWithoutSecrets(_ words: [String]) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(words) }
    #expect(!error.message.contains("\n") && error.message.hasSuffix("."))
    #expect(!error.message.contains("hunter2"))
    #expect(error.helpInvocation == "FeatherDemo \(words.first ?? "") --help")
  }

  @Test func optionsMayStandAnywhereAndHaveTwoForms() throws {
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

  @Test func optionValueIsNotReadAsCommand() throws {
    #expect(
      try Invocation(["--user", "jokes", "signin"]) == .run(Arguments(command: .signIn, user: "jokes")))
  }

  @Test func lastValueOfARepeatedOptionWins() throws {
    #expect(try Invocation(["--count", "3", "--count=4"]) == .run(Arguments(count: 4)))
  }

  @Test func helpOptionOverridesEverythingElse() throws {
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
  func invalidBaseURLIsRefusedAndNotRepeated(_ url: String) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(["signin", "--base-url", url]) }
    #expect(error.message.hasPrefix("--base-url"))
    #expect(!error.message.contains("hunter2"))
    #expect(error.helpInvocation == "FeatherDemo signin --help")
  }

  @Test(arguments: ["http://a", "HTTPS://a.example/v1/", "http://[::1]:8080", "http://127.0.0.1:65535"])
  func validBaseURLIsAccepted(_ url: String) throws {
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
