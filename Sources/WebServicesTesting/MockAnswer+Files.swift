public import Foundation
public import WebServices

extension MockAnswer {
  /// An answer whose body is a file's content. It is read at once, by this call; where it can't be, the answer is a
  /// failure that names it.
  ///
  /// - Parameters:
  ///   - url: a `file:` URL.
  ///   - status: the status code.
  ///   - headers: header fields. `Content-Type` is set by the file name's extension unless it is given, and
  ///     is `application/octet-stream` where that isn't known. Texts count as UTF-8.
  public static func file(
    _ url: URL, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
  ) -> MockAnswer {
    var all: HTTPHeaders = ["Content-Type": contentType(ofExtension: url.pathExtension)]
    all.merge(headers)
    do {
      return .response(status: status, headers: all, body: try Data(contentsOf: url))
    } catch {
      return .failure(
        TransportError(
          .file, message: "the mock session's file \(url.path) can't be read", mayHaveReachedServer: false,
          underlying: error))
    }
  }

  /// An answer whose body is a resource of a bundle, such as the test's own. Where the bundle has none of that name, the
  /// answer is a failure that names it.
  ///
  /// - Parameters:
  ///   - name: the file's name, without its extension where `extension` gives it.
  ///   - pathExtension: the file's extension.
  ///   - bundle: where the file is.
  ///   - status: the status code.
  ///   - headers: header fields. `Content-Type` is set by the file name's extension unless it is given, and
  ///     is `application/octet-stream` where that isn't known. Texts count as UTF-8.
  public static func resource(
    named name: String, extension pathExtension: String? = nil, in bundle: Bundle, status: Int = 200,
    headers: HTTPHeaders = HTTPHeaders()
  ) -> MockAnswer {
    guard let url = bundle.url(forResource: name, withExtension: pathExtension) else {
      let file = pathExtension.map { "\(name).\($0)" } ?? name
      return .failure(
        TransportError(
          .file, message: "the bundle at \(bundle.bundlePath) has no resource \(file)", mayHaveReachedServer: false))
    }
    return .file(url, status: status, headers: headers)
  }

  private static func contentType(ofExtension pathExtension: String) -> String {
    let mediaType = MediaType(fileExtension: pathExtension)
    return mediaType.type == "text" ? "\(mediaType); charset=utf-8" : "\(mediaType)"
  }
}
