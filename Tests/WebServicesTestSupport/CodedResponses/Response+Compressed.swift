import Foundation
import WebServices
import WebServicesTesting

// Responses with a content encoding, valid and invalid.
extension LoopbackServer.Response {
  /// A gzip body.
  ///
  /// - Parameters:
  ///   - data: the body before compression.
  ///   - headers: more header fields. A `Content-Length` among them replaces the real one.
  static func gzip(_ data: Data, headers: HTTPHeaders = [:]) -> Self {
    .encoded(Compression.gzip(data), as: "gzip", headers: headers)
  }

  /// A deflate body.
  ///
  /// - Parameters:
  ///   - data: the body before compression.
  ///   - hasFrame: `true` for a zlib header, as the standard demands. `false` for a body without one, as some servers
  ///     send it.
  ///   - headers: more header fields. A `Content-Length` among them replaces the real one.
  static func deflate(_ data: Data, hasFrame: Bool = true, headers: HTTPHeaders = [:]) -> Self {
    .encoded(hasFrame ? Compression.zlib(data) : Compression.rawDeflate(data), as: "deflate", headers: headers)
  }

  /// Bytes with a `Content-Encoding` that doesn't have to be true.
  static func encoded(_ bytes: Data, as encoding: String, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Content-Encoding", value: encoding)
    return .data(bytes, headers: headers)
  }

  /// A gzip body that is truncated, with a `Content-Length` that matches.
  static func truncatedGzip(_ data: Data, headers: HTTPHeaders = [:]) -> Self {
    let whole = Compression.gzip(data)
    return .encoded(whole.prefix(whole.count / 2), as: "gzip", headers: headers)
  }

  /// A small gzip body that decompresses to so many MB of zeros, about 150 times its size.
  static func decompressionBomb(megabytes: Int, headers: HTTPHeaders = [:]) -> Self {
    .encoded(Compression.gzipOfZeros(megabytes: megabytes), as: "gzip", headers: headers)
  }
}
