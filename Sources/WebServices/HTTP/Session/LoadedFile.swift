package import Foundation

/// A body that Foundation reads from the disk itself: a file of the app, or a temporary one with the content of a long
/// stream.
package struct LoadedFile: TransportBody.Stream {
  private let content: FileBodyStream
  /// Retained while the body may be read.
  private let temporary: TemporaryFile?

  package init(_ url: URL, temporary: TemporaryFile? = nil) throws(RequestBodyError) {
    content = try FileBodyStream(url)
    self.temporary = temporary
  }

  package var url: URL { content.url }
  package var length: Int64? { content.length }
  package var isReplayable: Bool { true }

  package func makeReader() throws -> any TransportBody.Reader { try content.makeReader() }

  /// Why a transfer may not have sent the file as it was; `nil` if the file hasn't changed.
  package var failure: TransportError? {
    do { try content.check() } catch { return .sent(.file, error.description) }
    return nil
  }
}

extension TransportBody {
  package var loadedFile: LoadedFile? { if case .stream(let file as LoadedFile) = self { file } else { nil } }

  /// Whether a session that opens no body can send the body.
  package var isLoaded: Bool { data != nil || loadedFile != nil }
}
