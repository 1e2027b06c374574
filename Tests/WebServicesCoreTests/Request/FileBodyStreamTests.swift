@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

@Suite struct FileBodyStreamTests {
  @Test func fileIsReadInPiecesRepeatedly() throws {
    let content = pattern(100_001)
    let file = try TemporaryFile(content)
    let stream = try FileBodyStream(file.url)
    expectEqual(stream.length, 100_001)
    expectEqual(try stream.content(inPiecesOf: 4096), content)
    expectEqual(try stream.content(inPiecesOf: 200_000), content)
    let empty = try TemporaryFile(Data())
    expectEqual(try FileBodyStream(empty.url).content(), Data())
  }

  @Test func missingFileIsRefused() throws {
    func reason(_ url: URL) -> RequestBodyError.Reason? {
      do throws(RequestBodyError) {
        _ = try FileBodyStream(url)
        return nil
      } catch {
        return error.reason
      }
    }
    let file = try TemporaryFile(Data())
    expectEqual(reason(file.url.appendingPathExtension("gone")), .missingFile)
    expectEqual(reason(file.url.deletingLastPathComponent()), .notRegularFile)
    expectEqual(reason(try #require(URL(string: "https://h/x"))), .notRegularFile)
  }

  @Test func fileChangedBeforeOpeningIsNotSent() throws {
    let changes: [(URL) throws -> Void] = [
      { try Data(count: 99).write(to: $0) }, { try FileManager.default.removeItem(at: $0) },
      {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: $0.path)
      },
    ]
    for change in changes {
      let file = try TemporaryFile(Data(count: 100))
      let stream = try FileBodyStream(file.url)
      try change(file.url)
      #expect(throws: RequestBodyError.self) { try stream.content() }
    }
  }

  @Test(arguments: ["shorter", "longer", "other"])
  func fileChangedWhileReadingFails(change: String) throws {
    let file = try TemporaryFile(Data(count: 100))
    let stream = try FileBodyStream(file.url)
    let reader = try stream.makeReader()
    defer { reader.close() }
    expectEqual(try reader.read(upTo: 60).count, 60)
    let handle = try FileHandle(forWritingTo: file.url)
    switch change {
    case "shorter": try handle.truncate(atOffset: 50)
    case "longer":
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(count: 1))
    default: try handle.write(contentsOf: Data([7]))
    }
    try handle.close()
    if change == "other" {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: file.url.path)
    }
    let error = #expect(throws: RequestBodyError.self) { try reader.read(upTo: 60) }
    expectEqual(error?.reason, .changedFile)
  }

  @Test func replacedFileIsReadAsOpened() throws {
    let content = pattern(100)
    let file = try TemporaryFile(content)
    let reader = try FileBodyStream(file.url).makeReader()
    defer { reader.close() }
    try Data(count: 5).write(to: file.url, options: .atomic)
    expectEqual(try reader.read(upTo: 1000), content)
    #expect(try reader.read(upTo: 1000).isEmpty)
  }
}
