import Foundation

extension RequestBody {
  /// Whether `compressed()` compresses: on Linux where there is a `libz.so.1`, on Apple's systems always.
  public static var canCompress: Bool { Gzip.makeCompressor != nil }

  /// The same body, sent as gzip with `Content-Encoding: gzip`, for servers that take it; where the system can't
  /// compress (see `canCompress`) it is the body as it is.
  ///
  /// What is in memory is compressed when the request is described. Files and streams are compressed piece by piece while
  /// they are sent; their length isn't known then, and they go out chunked.
  public func compressed() -> RequestBody { compressed(by: Gzip.makeCompressor) }

  func compressed(by makeCompressor: Gzip.Factory?) -> RequestBody {
    guard let makeCompressor, !isCompressed else { return self }
    return RequestBody(contentType: contentType, isReplayable: isReplayable, isCompressed: true) { encoders in
      var content = try content(encoders)
      switch content.body {
      case .none: return content
      case .data(let data): content.body = .stream(try GzippedData(data, by: makeCompressor))
      case .file(let url): content.body = .stream(GzipStream(try FileBodyStream(url), by: makeCompressor))
      case .stream(let stream): content.body = .stream(GzipStream(stream, by: makeCompressor))
      }
      content.encoding = "gzip"
      return content
    }
  }
}
