#if os(Linux)
  /// Parses the head of a response. Call `parse(_:)` for each of libcurl's lines until it returns something other than
  /// `more`. Interim responses (1xx) and trailers are skipped.
  struct CurlHead {
    /// The result of parsing a line.
    enum Step: Equatable {
      case more
      /// The final head is complete.
      case complete
      /// The transfer fails.
      case refused(TransportError.Kind, String)

      static let tooLarge = refused(
        .tooLarge, "the response's header and trailer fields have more than \(CurlHead.limit) bytes")
      static let tooManyFields = refused(.tooLarge, WebServiceResponse.tooManyFields)
      /// The head can be read in more than one way.
      static let malformed = refused(.badFraming, "the head of the response is malformed")
      static let switched = refused(
        .badFraming, "the server switched protocols (101) without a request to do so")
    }

    private(set) var statusCode = 0
    /// The major version of HTTP; 0 before the first line.
    private(set) var version = 0
    private(set) var fields: [HTTPHeaders.Field] = []
    private(set) var isComplete = false
    /// Whether a line has come, of an interim response too.
    var hasBegun: Bool { byteCount > 0 }
    /// The bytes of all lines, trailers included.
    private var byteCount = 0
    private var trailerCount = 0
    /// The length that the response announces, once the head is complete.
    private(set) var contentLength: Int64?
    private var hasBadField = false

    /// The most bytes of header fields and trailers, so that no server fills the memory.
    static let limit = 1024 * 1024

    /// Parses a line with its end. Trailers count as the lines of the head do, because libcurl passes any number of
    /// them.
    mutating func parse(_ line: UnsafeRawBufferPointer) -> Step {
      byteCount += line.count
      guard byteCount <= CurlHead.limit else { return .tooLarge }
      guard !isComplete else {
        trailerCount += 1
        return trailerCount <= WebServiceResponse.fieldLimit ? .more : .tooManyFields
      }
      let content = line.withoutLineEnd
      if content.isEmpty {
        return end()
      }
      if let status = CurlHead.statusCode(of: content) {
        statusCode = status
        // The digit behind `HTTP/`.
        version = content.count > 5 ? Int(content[5]) - 0x30 : 0
        // The fields before belong to an interim response.
        fields.removeAll(keepingCapacity: true)
        hasBadField = false
      } else if let first = content.first, first == 0x20 || first == 0x09 {
        continueLast(with: content)
      } else {
        guard fields.count < WebServiceResponse.fieldLimit else { return .tooManyFields }
        add(content)
      }
      return .more
    }

    /// Ends a head at its empty line. A 101 counts as final: no request asked for another protocol.
    private mutating func end() -> Step {
      guard statusCode >= 200 || statusCode == 101 else { return .more }
      isComplete = true
      guard statusCode != 101 else { return .switched }
      return hasBadField || !readLength() || !hasPlainCoding ? .malformed : .complete
    }

    /// Whether the only transfer coding is `chunked`. libcurl would decode others too, in pieces of any size.
    private var hasPlainCoding: Bool {
      fields.allSatisfy { field in
        guard field.name.equalsIgnoringASCIICase("Transfer-Encoding") else { return true }
        let names = field.value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        return names.allSatisfy { $0 == "chunked" || $0 == "identity" }
      }
    }

    /// Reads the content's length. Returns `false` if the lengths differ or one isn't a number (RFC 9112, section 6.3).
    /// A proxy and the library could then see two different responses.
    private mutating func readLength() -> Bool {
      for field in fields where field.name.equalsIgnoringASCIICase("Content-Length") {
        guard let length = Int64(decimal: field.value), contentLength == nil || contentLength == length else {
          return false
        }
        contentLength = length
      }
      return true
    }

    /// The status of a line that begins with `HTTP/`; the reason phrase and the space before it may be missing.
    static func statusCode(of line: UnsafeRawBufferPointer) -> Int? {
      guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: 0x20) else { return nil }
      var code = 0
      var digits = 0
      for byte in line[space...].drop(while: { $0 == 0x20 }) {
        guard byte >= 0x30, byte <= 0x39, digits < 3 else { break }
        code = code * 10 + Int(byte - 0x30)
        digits += 1
      }
      return digits == 0 ? nil : code
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), !line.contains(0) else {
        hasBadField = true
        return
      }
      let name = UnsafeRawBufferPointer(rebasing: line[..<colon]).withoutSpaceAround
      let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutSpaceAround
      guard !name.isEmpty else {
        hasBadField = true
        return
      }
      // An entity tag is sent back byte by byte, in any charset; see `latin1Bytes(of:)`.
      let isTag = name.elementsEqual("etag".utf8, by: { $0.asciiLowercased == $1 })
      fields.append(
        HTTPHeaders.Field(name: name.lenientText, value: isTag ? value.latin1Text : value.lenientText))
    }

    /// A line that begins with white space belongs to the field before it (RFC 9112, section 5.2).
    private mutating func continueLast(with line: UnsafeRawBufferPointer) {
      guard let last = fields.indices.last else { return }
      let more = line.withoutSpaceAround.lenientText
      fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }
  }

  extension CurlHead {
    /// Whether the response points elsewhere.
    var isRedirect: Bool { Redirect.statusCodes.contains(statusCode) && value(of: "Location") != nil }

    /// The first value of the name.
    func value(of name: String) -> String? {
      fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The header fields. Once the content has been decoded, the fields about its coding are left out.
    func headers(isDecoded: Bool) -> HTTPHeaders {
      var headers = HTTPHeaders(fields)
      if isDecoded { headers.removeDecoded() }
      return headers
    }
  }

  extension UnsafeRawBufferPointer {
    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
      var end = count
      if end > 0, self[end - 1] == 0x0A { end -= 1 }
      if end > 0, self[end - 1] == 0x0D { end -= 1 }
      return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    fileprivate var withoutSpaceAround: UnsafeRawBufferPointer {
      var start = 0
      var end = count
      while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
      while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
      return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// The text in UTF-8. Other bytes are read as Latin-1, the historical charset of fields (RFC 9110, section 5.5).
    fileprivate var lenientText: String {
      if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
      return String(validating: self, as: UTF8.self) ?? latin1Text
    }

    /// The text in Latin-1, where each byte is a character.
    fileprivate var latin1Text: String {
      if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
      return String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }
  }
#endif
