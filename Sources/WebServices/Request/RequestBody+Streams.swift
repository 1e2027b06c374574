public import Foundation

extension RequestBody {
  /// A file, read while it is sent.
  ///
  /// - Parameters:
  ///   - url: a `file:` URL of a regular file. Where it can't be read, the request fails when it is sent.
  ///   - contentType: the media type; `nil` means by the file name's extension, else `application/octet-stream`.
  public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
    let type = contentType ?? MediaType(fileExtension: url.pathExtension).description
    return RequestBody(contentType: type) { _ in Content(body: .file(url)) }
  }

  /// Bytes that are made while they are sent. Where the stream doesn't say its length, they go out chunked.
  public static func stream(_ stream: any TransportBodyStream, contentType: String) -> RequestBody {
    RequestBody(contentType: contentType, isReplayable: stream.isReplayable) { _ in
      if let length = stream.length, length < 0 {
        throw RequestBodyError(.wrongLength, "the stream's length is negative")
      }
      return Content(body: .stream(stream))
    }
  }

  /// Fields, data and files, of the type `multipart/form-data`. Files are read while they are sent. A part that can't be
  /// sent ends the request with an error of kind `.invalidRequest`, with a `RequestBodyError` below it.
  public static func multipart(_ body: MultipartBody) -> RequestBody {
    RequestBody(contentType: body.contentType, isReplayable: body.isReplayable) { _ in
      Content(body: .stream(try body.stream()))
    }
  }
}
