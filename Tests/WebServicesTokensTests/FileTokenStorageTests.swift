import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesTokens

@Suite struct FileTokenStorageTests {
  private typealias Failure = FileTokenStorage.Failure

  /// A temporary directory, deleted when this object is released.
  private final class Folder: Sendable {
    let url: URL
    var file: URL { url.appendingPathComponent("private/token.json") }
    var directory: URL { url.appendingPathComponent("private") }
    var storage: FileTokenStorage { FileTokenStorage(url: file) }

    init() throws {
      let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      url = base.appendingPathComponent("FeatherRESTClientTests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func mode(of url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    func setMode(_ mode: Int, of url: URL) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }
  }

  private static let token = StoredToken(
    apiToken: "abc", expiresAt: Date(timeIntervalSinceReferenceDate: 800_000_000), refreshToken: "r")

  @Test func tokenIsSavedReadReplacedAndRemoved() throws {
    let folder = try Folder()
    expectEqual(try folder.storage.load(), nil)
    try folder.storage.clear()
    try folder.storage.save(Self.token)
    expectEqual(try folder.storage.load(), Self.token)
    let other = StoredToken(apiToken: "other", expiresAt: Self.token.expiresAt)
    try folder.storage.save(other)
    expectEqual(try folder.storage.load(), other)
    expectEqual(try folder.names, ["token.json"])
    try folder.storage.clear()
    expectEqual(try folder.storage.load(), nil)
    expectEqual(try folder.names, [])
  }

  @Test func fileAndDirectoriesArePrivate() throws {
    let folder = try Folder()
    let file = folder.url.appendingPathComponent("one/two/three/token.json")
    try FileTokenStorage(url: file).save(Self.token)
    expectEqual(try folder.mode(of: file), 0o600)
    for name in ["one", "one/two", "one/two/three"] {
      expectEqual(try folder.mode(of: folder.url.appendingPathComponent(name)), 0o700)
    }
  }

  @Test(
    arguments: [
      "", "{", "null", "[]", "{}", #"{"apiToken": 1, "expiresAt": 0}"#, #"{"apiToken": "a"}"#,
      #"{"apiToken": "a", "expiresAt": 1e999}"#, #"{"apiToken": "", "expiresAt": 0}"#, "\u{1}",
      #"{"apiToken": "abc", "expiresAt": 800000000, "refreshToken": "r""#,
      "{\"expiresAt\": 0, \"apiToken\": \"\(String(repeating: "a", count: FileTokenStorage.sizeLimit))\"}",
    ])
  func damagedFileIsAnError(content: String) throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    try Data(content.utf8).write(to: folder.file)
    try folder.setMode(0o600, of: folder.file)
    #expect(throws: Failure.damaged(path: folder.file.path)) { try folder.storage.load() }
    try folder.storage.save(Self.token)
    expectEqual(try folder.storage.load(), Self.token)
  }

  @Test(arguments: [0o640, 0o604, 0o620])
  func fileThatOthersMayReadIsRefused(mode: Int) throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    try folder.setMode(mode, of: folder.file)
    #expect(throws: Failure.tooOpen(path: folder.file.path, mode: mode)) { try folder.storage.load() }
    try folder.storage.save(Self.token)
    expectEqual(try folder.mode(of: folder.file), 0o600)
    expectEqual(try folder.storage.load(), Self.token)
  }

  @Test func directoryThatOthersMayEnterIsRefused() throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    try folder.setMode(0o755, of: folder.directory)
    let failure = Failure.tooOpen(path: folder.directory.path, mode: 0o755)
    #expect(throws: failure) { try folder.storage.load() }
    #expect(throws: failure) { try folder.storage.save(Self.token) }
    try folder.storage.clear()
    expectEqual(try folder.names, [])
  }

  @Test func linkInPlaceOfFileIsRefused() throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    let target = folder.url.appendingPathComponent("target")
    try FileManager.default.moveItem(at: folder.file, to: target)
    try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: target)
    let failure = Failure.symbolicLink(path: folder.file.path)
    #expect(throws: failure) { try folder.storage.load() }
    #expect(throws: failure) { try folder.storage.save(Self.token) }
    try folder.storage.clear()
    expectEqual(try folder.names, [])
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  @Test(arguments: [true, false])
  func linkInPlaceOfDirectoryIsRefused(isDangling: Bool) throws {
    let folder = try Folder()
    let target = folder.url.appendingPathComponent("target")
    if !isDangling {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
      try folder.setMode(0o700, of: target)
    }
    try FileManager.default.createSymbolicLink(at: folder.directory, withDestinationURL: target)
    let failure = Failure.symbolicLink(path: folder.directory.path)
    #expect(throws: failure) { try folder.storage.load() }
    #expect(throws: failure) { try folder.storage.save(Self.token) }
    #expect(throws: failure) { try folder.storage.clear() }
  }

  @Test func wrongTypesAreRefused() throws {
    let folder = try Folder()
    let storage = folder.storage
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
    try folder.setMode(0o700, of: folder.directory)
    #expect(throws: Failure.wrongType(path: folder.file.path)) { try storage.load() }
    #expect(throws: Failure.wrongType(path: folder.file.path)) { try storage.save(Self.token) }
    #expect(throws: Failure.self) { try storage.clear() }
    try FileManager.default.removeItem(at: folder.file)
    // A pipe isn't opened, which would wait for its writer.
    expectEqual(mkfifo(folder.file.path, 0o600), 0)
    #expect(throws: Failure.wrongType(path: folder.file.path)) { try storage.load() }
    try FileManager.default.removeItem(at: folder.directory)
    try Data().write(to: folder.directory)
    #expect(throws: Failure.wrongType(path: folder.directory.path)) { try storage.load() }
    #expect(throws: Failure.wrongType(path: folder.directory.path)) { try storage.save(Self.token) }
  }

  @Test func fileOfAnotherUserIsRefused() throws {
    // Only root can change a file's owner. Other users test with a file of the system.
    if geteuid() == 0 {
      let folder = try Folder()
      try folder.storage.save(Self.token)
      expectEqual(chown(folder.file.path, 12_345, 12_345), 0)
      #expect(throws: Failure.otherOwner(path: folder.file.path)) { try folder.storage.load() }
      #expect(throws: Failure.otherOwner(path: folder.file.path)) { try folder.storage.save(Self.token) }
      expectEqual(chown(folder.directory.path, 12_345, 12_345), 0)
      #expect(throws: Failure.otherOwner(path: folder.directory.path)) { try folder.storage.load() }
    } else {
      #expect(throws: Failure.otherOwner(path: "/")) {
        try FileTokenStorage(url: URL(fileURLWithPath: "/token.json")).load()
      }
    }
  }

  @Test(
    arguments: ["https://example.com/token.json", "file:///tmp/", "file:///", "file:///tmp/a%00b"])
  func urlOfNoFileIsRefused(text: String) throws {
    let storage = FileTokenStorage(url: try #require(URL(string: text)))
    #expect(throws: Failure.notAFileURL) { try storage.load() }
    #expect(throws: Failure.notAFileURL) { try storage.save(Self.token) }
    #expect(throws: Failure.notAFileURL) { try storage.clear() }
  }

  @Test func clearRemovesInterruptedSaves() throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    let leftover = folder.directory.appendingPathComponent(".token.json.new-\(UUID().uuidString)")
    let foreign = folder.directory.appendingPathComponent("other.json")
    try Data("abc".utf8).write(to: leftover)
    try Data("abc".utf8).write(to: foreign)
    try folder.storage.clear()
    expectEqual(try folder.names, ["other.json"])
  }

  @Test func unencodableTokenLeavesFormerOne() throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    let odd = StoredToken(apiToken: "odd", expiresAt: Date(timeIntervalSinceReferenceDate: .nan))
    #expect(throws: EncodingError.self) { try folder.storage.save(odd) }
    expectEqual(try folder.storage.load(), Self.token)
    expectEqual(try folder.names, ["token.json"])
  }

  @Test func readerNeverFindsHalfAToken() async throws {
    let folder = try Folder()
    try folder.storage.save(Self.token)
    let failures = Collector<String>()
    await concurrently(400) { index in
      do {
        if index.isMultiple(of: 2) {
          let value = String(repeating: "\(index % 10)", count: 5000)
          try folder.storage.save(StoredToken(apiToken: value, expiresAt: Self.token.expiresAt))
        } else if let value = try folder.storage.load()?.apiToken, value != Self.token.apiToken {
          if value.utf8.count != 5000 || Set(value).count != 1 { failures.append("mixed") }
        }
      } catch {
        failures.append("\(error)")
      }
    }
    expectEqual(failures.elements, [])
    expectEqual(try folder.names, ["token.json"])
  }
}
