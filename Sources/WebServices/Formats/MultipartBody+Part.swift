public import Foundation

extension MultipartBody {
  /// One part of a multipart body.
  ///
  /// Names and file names may have any characters but NUL and other control characters. They are sent as UTF-8. `"`, CR
  /// and LF are written as `%22`, `%0D` and `%0A` (RFC 7578, section 2, as WHATWG HTML has it).
  public struct Part: Sendable {
    /// The field's name.
    public let name: String
    /// The file's name for the server; `nil` for a plain field.
    public let fileName: String?
    /// The media type; `nil` for a plain field, which is text in UTF-8.
    public let contentType: String?
    /// More header fields. `Content-Disposition` or `Content-Type` here fails, because the library sets both.
    public let headers: HTTPHeaders
    let content: TransportBody

    /// A field with text, sent as UTF-8 without changes, line ends included.
    public static func field(_ name: String, _ value: String) -> Part {
      Part(
        name: name, fileName: nil, contentType: nil, headers: HTTPHeaders(), content: .data(Data(value.utf8)))
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - data: the bytes.
    ///   - fileName: the file's name for the server, which then takes the part for a file; `nil` sends none.
    ///   - contentType: the media type of the bytes.
    ///   - headers: more header fields of the part. `Content-Disposition` or `Content-Type` among them fails the
    ///     request.
    public static func data(
      _ name: String, _ data: Data, fileName: String? = nil, contentType: String = "application/octet-stream",
      headers: HTTPHeaders = HTTPHeaders()
    ) -> Part {
      Part(name: name, fileName: fileName, contentType: contentType, headers: headers, content: .data(data))
    }

    /// A file on disk, which is read while it is sent.
    ///
    /// If the file is missing when the request is described, the request fails with
    /// ``RequestBodyError/Reason/missingFile``. If it changes before its last byte is sent, the request fails with
    /// `.changedFile`.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - url: a `file:` URL of a regular file.
    ///   - fileName: the name for the server; `nil` uses the file's own name without its folders.
    ///   - contentType: the media type; `nil` uses the file name's extension, or else `application/octet-stream`.
    ///   - headers: more header fields of the part.
    public static func file(
      _ name: String, _ url: URL, fileName: String? = nil, contentType: String? = nil,
      headers: HTTPHeaders = HTTPHeaders()
    ) -> Part {
      Part(
        name: name, fileName: fileName ?? url.lastPathComponent,
        contentType: contentType ?? MediaType(fileExtension: url.pathExtension).description, headers: headers,
        content: .file(url))
    }

    /// Bytes that are made while they are sent.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - stream: opened once for each sending. Without a length, the whole body is sent in chunks.
    ///   - fileName: the file's name for the server, which then takes the part for a file; `nil` sends none.
    ///   - contentType: the media type of the bytes.
    ///   - headers: more header fields of the part. `Content-Disposition` or `Content-Type` among them fails the
    ///     request.
    public static func stream(
      _ name: String, _ stream: any TransportBodyStream, fileName: String? = nil,
      contentType: String = "application/octet-stream", headers: HTTPHeaders = HTTPHeaders()
    ) -> Part {
      Part(name: name, fileName: fileName, contentType: contentType, headers: headers, content: .stream(stream))
    }

    /// Whether the part can be sent again.
    public var isReplayable: Bool { content.isReplayable }

    /// The header lines, each with its end.
    func head() throws(RequestBodyError) -> String {
      guard headers["Content-Disposition"] == nil, headers["Content-Type"] == nil else {
        throw RequestBodyError(
          .invalidPart, "a part's headers repeat its name, file name or content type; remove them from the headers")
      }
      var fields: HTTPHeaders = ["Content-Disposition": disposition]
      if let contentType { fields.add(name: "Content-Type", value: contentType) }
      fields.merge(headers)
      if fields.firstInvalidField != nil {
        throw RequestBodyError(
          .invalidPart, "the name, the file name or a header field of a part contains characters that aren't allowed")
      }
      return fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    }

    /// The content of the part. This opens no file, but it reads the size of one.
    func piece() throws(RequestBodyError) -> JoinedBodyStream.Piece {
      switch content {
      case .none: .bytes(Data())
      case .data(let data): .bytes(data)
      case .file(let url): .stream(try FileBodyStream(url))
      case .stream(let stream): .stream(stream)
      }
    }

    private var disposition: String {
      let named = "form-data; name=\"\(Self.escaped(name))\""
      return fileName.map { "\(named); filename=\"\(Self.escaped($0))\"" } ?? named
    }

    private static func escaped(_ name: String) -> String {
      name.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "\"": text += "%22"
        case "\r": text += "%0D"
        case "\n": text += "%0A"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}
