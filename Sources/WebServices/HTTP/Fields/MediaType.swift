extension HTTPHeaders {
  /// A media type with its parameters (RFC 9110, section 8.3.1): `text/html; charset=utf-8`.
  public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The type in lower case, `text`.
    public let type: String
    /// The subtype in lower case, `html`.
    public let subtype: String
    /// The parameters: names in lower case, values as they were written, without their quotes. If a name repeats, the
    /// first value counts.
    public let parameters: [String: String]

    /// Creates a media type of its parts. Type, subtype and the names of the parameters are stored in lower case.
    public init(type: String, subtype: String, parameters: [String: String] = [:]) {
      self.type = type.lowercased()
      self.subtype = subtype.lowercased()
      self.parameters = Dictionary(parameters.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Parses the value of a `Content-Type` field; `nil` if it is invalid. Malformed parameters are left out.
    public init?(_ text: String) {
      var cursor = FieldCursor(text)
      let essence = cursor.text(until: ";").trimmingFieldWhitespace.split(
        separator: "/", omittingEmptySubsequences: false)
      guard essence.count == 2, essence.allSatisfy({ $0.utf8.isHTTPToken }) else { return nil }
      var parameters: [String: String] = [:]
      while cursor.skip(";") {
        cursor.skipSpace()
        let name = cursor.text(until: "=;").lowercased()
        // Without the sign no value follows.
        let value = cursor.skip("=") ? cursor.quotedString() : nil
        // A parameter has a quoted string or other text. With both or neither it is malformed.
        let rest = cursor.text(until: ";").trimmingFieldWhitespace
        guard name.utf8.isHTTPToken, parameters[name] == nil, (value == nil) != rest.isEmpty else { continue }
        parameters[name] = value ?? rest
      }
      self.init(type: String(essence[0]), subtype: String(essence[1]), parameters: parameters)
    }

    /// `text/html`, without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The `charset` parameter.
    public var charset: String? { parameters["charset"] }

    /// Whether the type is JSON: `application/json`, `text/json` or anything with the suffix `+json` (RFC 6839).
    public var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// Whether the other type matches. A `*` matches any type (RFC 9110, section 12.5.1). Parameters are ignored.
    public func matches(_ other: MediaType) -> Bool {
      (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// The media type in the form of a header field, with its parameters sorted by name.
    public var description: String {
      parameters.sorted { $0.key < $1.key }.reduce(into: essence) { text, parameter in
        let value = parameter.value
        text += "; \(parameter.key)=" + (value.utf8.isHTTPToken ? value : value.quotedString)
      }
    }

    /// The usual media type for a file extension; `application/octet-stream` for an unknown extension. Pass the
    /// extension without its dot, in upper or lower case.
    package init(fileExtension: String) {
      let known = Self.typesOfFileExtensions[fileExtension.lowercased()].flatMap { Self($0) }
      self = known ?? Self(type: "application", subtype: "octet-stream")
    }

    private static let typesOfFileExtensions: [String: String] = [
      "txt": "text/plain", "text": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
      "html": "text/html", "htm": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
      "ics": "text/calendar", "vcf": "text/vcard",
      "json": "application/json", "ndjson": "application/x-ndjson", "xml": "application/xml", "pdf": "application/pdf",
      "yaml": "application/yaml", "yml": "application/yaml", "wasm": "application/wasm", "rtf": "application/rtf",
      "zip": "application/zip", "gz": "application/gzip", "tar": "application/x-tar",
      "7z": "application/x-7z-compressed", "doc": "application/msword", "xls": "application/vnd.ms-excel",
      "ppt": "application/vnd.ms-powerpoint",
      "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "epub": "application/epub+zip",
      "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
      "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "svg": "image/svg+xml", "bmp": "image/bmp",
      "tif": "image/tiff", "tiff": "image/tiff", "ico": "image/vnd.microsoft.icon",
      "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg", "wav": "audio/wav",
      "flac": "audio/flac", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
      "avi": "video/x-msvideo", "mkv": "video/matroska",
      "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    ]
  }
}
