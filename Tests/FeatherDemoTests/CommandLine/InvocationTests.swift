@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct InvocationTests {
  @Test func operandsAndOptionsMayStandAnywhere() throws {
    let url = try #require(URL(string: "http://host/a"))
    let base = try #require(URL(string: "HTTPS://a.example/v1/"))
    let cases: [([String], Arguments)] = [
      (
        ["request", "purge", "http://host/a"],
        Arguments(command: .request, method: HTTPMethod(rawValue: "PURGE"), target: .address(url))
      ),
      (
        ["--verbose", "download", "files/5M", "--json", "out"],
        Arguments(command: .download, target: .path("files/5M"), file: "out", isVerbose: true, printsJSON: true)
      ),
      (["upload", "a", "--to=http://host/a"], Arguments(command: .upload, target: .address(url), file: "a")),
      (
        ["--count=3", "jokes", "--user", "signin", "--base-url", "HTTPS://a.example/v1/"],
        Arguments(command: .jokes, count: 3, baseURL: base, user: "signin")
      ),
      (["--count", "3", "--count=4"], Arguments(count: 4)),
      (
        [
          "request", "POST", "a", "--header", "Accept:text/plain ", "--header=X:", "--output", "o", "--curl", "--data",
          "b",
        ],
        Arguments(
          command: .request, method: .post, target: .path("a"), headers: ["Accept": "text/plain", "X": ""],
          body: .text("b"), outputFile: "o", printsCurlCommand: true)
      ),
      (
        ["request", "GET", "a", "--data", "@a/b"], Arguments(command: .request, target: .path("a"), body: .file("a/b"))
      ),
    ]
    for (words, arguments) in cases { #expect(try Invocation(words) == .run(arguments)) }
  }

  @Test func helpOverridesEverythingElse() throws {
    let cases: [([String], Command)] = [
      (["--help"], .signInAndJokes), (["jokes", "-h"], .jokes), (["--help", "serve"], .serve),
      (["--count", "x", "jokes", "--nonsense", "-h"], .jokes), (["help"], .signInAndJokes),
      (["help", "signin"], .signIn),
    ]
    for (words, command) in cases { #expect(try Invocation(words) == .help(command)) }
    expectEqual(try Invocation(["jokes", "--version"]), .version)
  }

  private static let wrongUsages: [([String], String)] = [
    (["joke"], "Did you mean \"jokes\"?"), (["help", "signn"], "Did you mean \"signin\"?"),
    (["xyzzyx"], "See the list"), ([""], "no such command"), (["jokes", "signin"], "one word too many"),
    (["--passwort=hunter2"], "no option --passwort"), (["--passwort", "hunter2"], "no such command"),
    (["--password", "hunter2"], "FEATHER_PASSWORD"), (["signin", "--password=hunter2"], "FEATHER_PASSWORD"),
    (["jokes", "--count"], "needs a value"), (["jokes", "--count", "--json"], "needs a value"),
    (["jokes", "--count", "-1"], "from 1 to 100"), (["jokes", "--count=101"], "from 1 to 100"),
    (["jokes", "--count", "1.5"], "whole number"), (["jokes", "--count", "٣"], "whole number"),
    (["signin", "--count", "3"], "no option --count"), (["serve", "--port", "65536"], "from 0 to 65535"),
    (["serve", "--user", "a"], "no option --user"), (["--verbose=yes"], "takes no value"),
    (["signin", "--user", ""], "isn't empty"), (["request"], "METHOD is missing"),
    (["request", "GET"], "URL is missing"), (["request", "", "a"], "METHOD takes"),
    (["request", "GET", ""], "URL takes"), (["request", "GET", "ftp://host/"], "URL takes"),
    (["request", "GET", "localhost:80/"], "URL takes"), (["request", "GET", "http:///a"], "URL takes"),
    (["request", "GET", "http://host:99999"], "URL takes"),
    (["request", "GET", "http://user:hunter2@host/"], "no password"),
    (["request", "GET", "a", "--header", "hunter2"], "--header takes"),
    (["request", "GET", "a", "--header", ":hunter2"], "--header takes"),
    (["request", "GET", "a", "--header", "A: hunter2\r\nB: c"], "--header takes"),
    (["request", "GET", "a", "--data", "@"], "--data takes"), (["download", "a", ""], "FILE takes"),
    (["signin", "--base-url", "nonsense"], "--base-url takes"),
    (["signin", "--base-url", "localhost:8080"], "https:// and names a host."),
    (["signin", "--base-url", "http://u:hunter2@h"], "password"), (["photo", "0"], "ID takes"),
  ]

  @Test(arguments: wrongUsages)
  func wrongUsageIsExplainedInOneLineWithoutSecrets(_ words: [String], _ part: String) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(words) }
    #expect(error.message.contains(part) && !error.message.contains("\n"), "\(error.message)")
    #expect(!error.message.contains("hunter2"))
    if let command = words.first.flatMap(Command.init(rawValue:)), !words[0].isEmpty {
      expectEqual(error.command, command)
    }
  }

  @Test func passwordOfNamedUserComesFromTheEnvironmentForOtherServers() throws {
    func credentials(user: String? = nil, isOther: Bool = false, password: String? = nil) throws -> Credentials {
      try Credentials(
        for: Arguments(command: .menu, baseURL: isOther ? URL(string: "http://host") : nil, user: user),
        environment: password.map { ["FEATHER_PASSWORD": $0] } ?? [:])
    }
    expectEqual(try credentials(), try credentials(password: ""))
    expectEqual(try credentials().password, DemoAccount.password)
    expectEqual(try credentials(user: "ann").user, "ann")
    expectEqual(try credentials(user: "ann", isOther: true, password: "x").password, "x")
    let error = #expect(throws: UsageError.self) { try credentials(user: "ann", isOther: true) }
    expectEqual(error?.command, .menu)
  }
}
