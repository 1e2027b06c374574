@testable import WebServicesTestSupport
@testable import WebServicesTokens

@Suite struct FileTokenStorageTests {
  private typealias Failure = FileTokenStorage.Failure

  private let folder: TemporaryFolder
  private let url: URL
  // These are made once: a URL that is made while a folder is in its place ends with a slash.
  private let directory: URL
  private let file: URL
  private var storage: FileTokenStorage { FileTokenStorage(url: file) }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.resolvingSymlinksInPath()
    directory = url.appendingPathComponent("private")
    file = url.appendingPathComponent("private/token.json")
  }

  private func mode(of url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  private func setMode(_ mode: Int, of url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  /// Expects that the token is neither read nor saved.
  private func expectRefusal(_ failure: Failure, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(throws: failure, sourceLocation: sourceLocation) { try storage.load() }
    #expect(throws: failure, sourceLocation: sourceLocation) { try storage.save(Self.token) }
  }

  private static let token = StoredToken(
    apiToken: "abc", expiresAt: Date(timeIntervalSinceReferenceDate: 800_000_000), refreshToken: "r")

  @Test func tokenIsSavedReadReplacedAndRemoved() throws {
    expectEqual(try storage.load(), nil)
    try storage.clear()
    try storage.save(Self.token)
    expectEqual(try storage.load(), Self.token)
    let other = StoredToken(apiToken: "other", expiresAt: Self.token.expiresAt)
    try storage.save(other)
    expectEqual(try storage.load(), other)
    expectEqual(try names, ["token.json"])
    try storage.clear()
    expectEqual(try storage.load(), nil)
    expectEqual(try names, [])
  }

  @Test func fileAndDirectoriesArePrivate() throws {
    let file = url.appendingPathComponent("one/two/three/token.json")
    try FileTokenStorage(url: file).save(Self.token)
    expectEqual(try mode(of: file), 0o600)
    for name in ["one", "one/two", "one/two/three"] {
      expectEqual(try mode(of: url.appendingPathComponent(name)), 0o700)
    }
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{}", #"{"apiToken": 1, "expiresAt": 0}"#, #"{"apiToken": "a"}"#,
    #"{"apiToken": "a", "expiresAt": 1e999}"#, #"{"apiToken": "", "expiresAt": 0}"#, "\u{1}",
    #"{"apiToken": "abc", "expiresAt": 800000000, "refreshToken": "r""#,
    "{\"expiresAt\": 0, \"apiToken\": \"\(String(repeating: "a", count: FileTokenStorage.sizeLimit))\"}",
  ])
  func damagedFileIsAnError(content: String) throws {
    try storage.save(Self.token)
    try Data(content.utf8).write(to: file)
    try setMode(0o600, of: file)
    #expect(throws: Failure.damaged(path: file.path)) { try storage.load() }
    try storage.save(Self.token)
    expectEqual(try storage.load(), Self.token)
  }

  @Test func fileOrDirectoryThatOthersMayReadIsRefused() throws {
    try storage.save(Self.token)
    for mode in [0o640, 0o604, 0o620] {
      try setMode(mode, of: file)
      #expect(throws: Failure.tooOpen(path: file.path, mode: mode)) { try storage.load() }
      try storage.save(Self.token)
      expectEqual(try self.mode(of: file), 0o600)
      expectEqual(try storage.load(), Self.token)
    }
    for mode in [0o711, 0o755] {
      try setMode(mode, of: directory)
      expectRefusal(.tooOpen(path: directory.path, mode: mode))
    }
    expectEqual(
      "\(Failure.tooOpen(path: "/notes", mode: 0o755))", "/notes is open to others (mode 755); use a private one")
    try storage.clear()
    expectEqual(try names, [])
  }

  @Test func linkInPlaceOfFileIsRefused() throws {
    try storage.save(Self.token)
    let target = url.appendingPathComponent("target")
    try FileManager.default.moveItem(at: file, to: target)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    expectRefusal(.symbolicLink(path: file.path))
    try storage.clear()
    expectEqual(try names, [])
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  @Test(arguments: [true, false])
  func linkInPlaceOfDirectoryIsRefused(isDangling: Bool) throws {
    let target = url.appendingPathComponent("target")
    if !isDangling {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
      try setMode(0o700, of: target)
    }
    try FileManager.default.createSymbolicLink(at: directory, withDestinationURL: target)
    expectRefusal(.symbolicLink(path: directory.path))
    #expect(throws: Failure.symbolicLink(path: directory.path)) { try storage.clear() }
  }

  @Test func wrongTypesAreRefused() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    try setMode(0o700, of: directory)
    expectRefusal(.wrongType(path: file.path))
    #expect(throws: Failure.self) { try storage.clear() }
    try FileManager.default.removeItem(at: file)
    // A pipe isn't opened, which would wait for its writer.
    expectEqual(mkfifo(file.path, 0o600), 0)
    #expect(throws: Failure.wrongType(path: file.path)) { try storage.load() }
    try FileManager.default.removeItem(at: directory)
    try Data().write(to: directory)
    expectRefusal(.wrongType(path: directory.path))
  }

  @Test func fileOfAnotherUserIsRefused() throws {
    // Only root can change a file's owner. Other users test with a file of the system.
    if geteuid() == 0 {
      try storage.save(Self.token)
      expectEqual(chown(file.path, 12_345, 12_345), 0)
      expectRefusal(.otherOwner(path: file.path))
      expectEqual(chown(directory.path, 12_345, 12_345), 0)
      #expect(throws: Failure.otherOwner(path: directory.path)) { try storage.load() }
    } else {
      #expect(throws: Failure.otherOwner(path: "/")) {
        try FileTokenStorage(url: URL(fileURLWithPath: "/token.json")).load()
      }
    }
  }

  @Test(arguments: [
    "https://example.com/token.json", "file:///tmp/", "file:///", "file:///tmp/a%00b", "file:///tmp/..",
  ])
  func urlOfNoFileIsRefused(text: String) throws {
    let storage = FileTokenStorage(url: try #require(URL(string: text)))
    #expect(throws: Failure.notAFileURL) { try storage.load() }
    #expect(throws: Failure.notAFileURL) { try storage.save(Self.token) }
    #expect(throws: Failure.notAFileURL) { try storage.clear() }
  }

  /// Foundation on Linux traps when it is asked for the folder of a path of one letter.
  @Test func relativeFolderOfOneLetterIsMade() throws {
    let storage = FileTokenStorage(url: try #require(URL(string: "file:%EA%99%AE/token.json")))
    defer { try? FileManager.default.removeItem(atPath: "\u{A66E}") }
    try storage.save(Self.token)
    expectEqual(try storage.load(), Self.token)
  }

  @Test func clearRemovesInterruptedSaves() throws {
    try storage.save(Self.token)
    for name in [".token.json.new-\(UUID().uuidString)", ".token.json.old"] {
      try Data("abc".utf8).write(to: directory.appendingPathComponent(name))
    }
    #if DEBUG
      var code: Int32? = EIO
      let fault = DiskFault { call in call == "unlink" ? code.take() : nil }
      // The token of an interrupted save would otherwise outlive the sign-out, and nobody would know.
      #expect(throws: Failure.self) { try fault.perform { try storage.clear() } }
      expectEqual(try names.count, 2)
    #endif
    try storage.clear()
    expectEqual(try names, [".token.json.old"])
  }

  @Test func readerNeverFindsHalfAToken() async throws {
    try storage.save(Self.token)
    let (storage, failures) = (storage, Collector<String>())
    await concurrently(400) { index in
      do {
        if index.isMultiple(of: 2) {
          let value = String(repeating: "\(index % 10)", count: 5000)
          try storage.save(StoredToken(apiToken: value, expiresAt: Self.token.expiresAt))
        } else if let value = try storage.load()?.apiToken, value != Self.token.apiToken {
          if value.utf8.count != 5000 || Set(value).count != 1 { failures.append("mixed") }
        }
      } catch {
        failures.append("\(error)")
      }
    }
    expectEqual(failures.elements, [])
    expectEqual(try names, ["token.json"])
  }
}
