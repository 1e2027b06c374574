public import Foundation
public import WebServicesCore

extension MockResponse {
  /// A response with the content of a file. The file is read by this call. If that fails, the response is a failure
  /// that names the file.
  ///
  /// - Parameters:
  ///   - url: a `file:` URL.
  ///   - status: the status code.
  ///   - headers: header fields. Without a `Content-Type`, the file name's extension sets it: text types with charset
  ///     UTF-8, unknown ones as `application/octet-stream`.
  public static func file(
    _ url: URL, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
  ) -> MockResponse {
    do {
      let type = contentType(ofExtension: url.pathExtension)
      return .data(try Data(contentsOf: url), status: status, headers: headers.withType(type))
    } catch {
      return .failure(
        TransportError(
          .file, message: "the mock session's file \(url.path) can't be read", mayHaveReachedServer: false,
          underlying: error))
    }
  }

  /// A response with a resource of a bundle, such as the test's own. If the bundle lacks it, the response is a failure
  /// that names the resource.
  ///
  /// - Parameters:
  ///   - name: the file's name, with its extension unless `extension` is given.
  ///   - pathExtension: the file's extension.
  ///   - bundle: the bundle that contains the file.
  ///   - status: the status code.
  ///   - headers: header fields. Without a `Content-Type`, the file name's extension sets it: text types with charset
  ///     UTF-8, unknown ones as `application/octet-stream`.
  public static func resource(
    named name: String, extension pathExtension: String? = nil, in bundle: Bundle, status: Int = 200,
    headers: HTTPHeaders = HTTPHeaders()
  ) -> MockResponse {
    guard let url = bundle.url(forResource: name, withExtension: pathExtension) else {
      let file = pathExtension.map { "\(name).\($0)" } ?? name
      return .unsent(.file, "the bundle at \(bundle.bundlePath) has no resource \(file)")
    }
    return .file(url, status: status, headers: headers)
  }

  private static func contentType(ofExtension pathExtension: String) -> String {
    let mediaType = HTTPHeaders.MediaType(fileExtension: pathExtension)
    return mediaType.type == "text" ? "\(mediaType); charset=utf-8" : "\(mediaType)"
  }
}
