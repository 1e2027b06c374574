public import Foundation
public import WebServices

// Answers with a content encoding, right and wrong.
extension LoopbackServer.Answer {
  /// A body that is gzip.
  public static func gzip(_ data: Data, headers: HTTPHeaders = [:]) -> Self {
    .encoded(Compression.gzip(data), as: "gzip", headers: headers)
  }

  /// A body that is deflate: in a zlib frame, as the standard says, or without, as some servers send it.
  public static func deflate(_ data: Data, hasFrame: Bool = true, headers: HTTPHeaders = [:]) -> Self {
    .encoded(
      hasFrame ? Compression.zlib(data) : Compression.rawDeflate(data), as: "deflate", headers: headers)
  }

  /// Bytes as they are with a `Content-Encoding` that need not be true.
  public static func encoded(_ bytes: Data, as encoding: String, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Content-Encoding", value: encoding)
    return .data(bytes, headers: headers)
  }

  /// A gzip that ends in the middle of its data, its `Content-Length` right.
  public static func truncatedGzip(_ data: Data, headers: HTTPHeaders = [:]) -> Self {
    let whole = Compression.gzip(data)
    return .encoded(whole.prefix(whole.count / 2), as: "gzip", headers: headers)
  }

  /// A small gzip that becomes so many zero bytes: about 150 times its size.
  public static func decompressionBomb(bytes: Int, headers: HTTPHeaders = [:]) -> Self {
    .encoded(Compression.gzipOfZeros(bytes), as: "gzip", headers: headers)
  }
}
