public import Foundation

extension MultipartBody {
  /// One part of a multipart body.
  ///
  /// Names and file names may have any characters but NUL and other control characters. They are sent as UTF-8. `"`, CR
  /// and LF are written as `%22`, `%0D` and `%0A` (RFC 7578, section 2, as WHATWG HTML has it).
  public struct Part: Sendable {
    let name: String
    /// The file's name for the server; `nil` for a plain field.
    let fileName: String?
    /// The media type; `nil` for a plain field, which is text in UTF-8.
    let contentType: String?
    let content: TransportBody

    /// A field with text, sent as UTF-8 without changes, line ends included.
    public static func field(_ name: String, _ value: String) -> Part {
      Part(name: name, fileName: nil, contentType: nil, content: .data(Data(value.utf8)))
    }

    /// Bytes in memory.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - data: the bytes.
    ///   - fileName: the file's name for the server, which then takes the part for a file; `nil` sends none.
    ///   - contentType: the media type of the bytes.
    public static func data(
      _ name: String, _ data: Data, fileName: String? = nil, contentType: String = "application/octet-stream"
    ) -> Part { Part(name: name, fileName: fileName, contentType: contentType, content: .data(data)) }

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
    public static func file(_ name: String, _ url: URL, fileName: String? = nil, contentType: String? = nil) -> Part {
      Part(
        name: name, fileName: fileName ?? url.lastPathComponent,
        contentType: contentType ?? HTTPHeaders.MediaType(fileExtension: url.pathExtension).description,
        content: .file(url))
    }

    /// Bytes that are made while they are sent.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - stream: opened once for each sending. Without a length, the whole body is sent in chunks.
    ///   - fileName: the file's name for the server, which then takes the part for a file; `nil` sends none.
    ///   - contentType: the media type of the bytes.
    public static func stream(
      _ name: String, _ stream: any TransportBody.Stream, fileName: String? = nil,
      contentType: String = "application/octet-stream"
    ) -> Part { Part(name: name, fileName: fileName, contentType: contentType, content: .stream(stream)) }

    /// The header lines, each with its end.
    func head() throws(RequestBodyError) -> String {
      var fields = ["Content-Disposition: form-data; name=\"\(Self.escaped(name))\""]
      if let fileName { fields[0] += "; filename=\"\(Self.escaped(fileName))\"" }
      if let contentType { fields.append("Content-Type: \(contentType)") }
      guard fields.allSatisfy({ $0.utf8.isHTTPFieldValue }) else {
        throw RequestBodyError(
          .invalidPart, "the name, the file name or the type of a part contains characters that aren't allowed")
      }
      return fields.map { $0 + "\r\n" }.joined()
    }

    private static func escaped(_ name: String) -> String {
      let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
      return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
  }
}
