@testable import WebServicesTestSupport

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
      (Result { try FileBodyStream(url) }.failure as? RequestBodyError)?.reason
    }
    let file = try TemporaryFile(Data())
    expectEqual(reason(file.url.appendingPathExtension("gone")), .missingFile)
    expectEqual(reason(file.url.deletingLastPathComponent()), .notRegularFile)
    let stream = try FileBodyStream(file.url)
    try FileManager.default.removeItem(at: file.url)
    #expect(throws: RequestBodyError.self) { try stream.makeReader() }
    // A pipe in place of the file would wait for its writer.
    expectEqual(mkfifo(file.url.path, 0o600), 0)
    #expect(throws: RequestBodyError.self) { try stream.makeReader() }
    expectEqual(reason(try #require(URL(string: "https://h/x"))), .notRegularFile)
  }

  @Test(arguments: [false, true])
  func changedFileIsNotSent(isOpen: Bool) throws {
    func write(_ url: URL, _ change: (FileHandle) throws -> Void) throws {
      let handle = try FileHandle(forWritingTo: url)
      try change(handle)
      try handle.close()
      let date = Date(timeIntervalSince1970: 5)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
    let changes: [(URL) throws -> Void] = [
      { try write($0) { try $0.truncate(atOffset: 50) } }, { try write($0) { try $0.write(contentsOf: Data([7])) } },
      { try write($0) { try $0.write(contentsOf: Data(count: 101)) } },
    ]
    for change in changes {
      let file = try TemporaryFile(Data(count: 100))
      let stream = try FileBodyStream(file.url)
      let reader = isOpen ? try stream.makeReader() : nil
      defer { reader?.close() }
      if let reader { expectEqual(try reader.read(upTo: 60).count, 60) }
      try change(file.url)
      let error = #expect(throws: RequestBodyError.self) { try (reader ?? stream.makeReader()).read(upTo: 60) }
      expectEqual(error?.reason, .changedFile)
    }
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
