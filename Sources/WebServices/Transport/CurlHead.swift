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
      static let switched = refused(.badFraming, "the server switched protocols (101) without a request to do so")
    }

    /// The status; 0 before the status line. Each interim head is followed by another one.
    private(set) var statusCode = 0
    /// The major version of HTTP; 0 before the first line.
    private(set) var version = 0
    /// Whether the version is 1.0.
    private var isOld = false
    /// HTTP/1.0 has no `Transfer-Encoding`. Somebody on the way may see another end of such a response (RFC 9112,
    /// section 6.1).
    var isFaulty: Bool { isOld && headers["Transfer-Encoding"] != nil }
    /// The fields of the response, once the head is complete. Before, the first `count` are of this response, and those
    /// behind them of an earlier one. Most lines of an origin are the same each time: they aren't parsed, and a head
    /// that repeats all of them shares their memory.
    private(set) var fields: [HTTPHeaders.Field]
    private var count = 0
    var headers: HTTPHeaders { HTTPHeaders(fields) }
    private(set) var isComplete = false
    /// Whether a line has come, of an interim response too.
    var hasBegun: Bool { byteCount > 0 }
    /// The bytes of all lines, trailers included.
    private(set) var byteCount = 0
    private var trailerCount = 0
    /// The announced length of the content, once the head is complete.
    private(set) var contentLength: Int64?
    private var hasBadLine = false
    /// Whether a field says that the content is coded.
    private(set) var hasCoding = false

    /// Whether the request allows content: `HEAD` doesn't.
    private let allowsContent: Bool

    /// - Parameter former: the fields of an earlier response of the origin.
    init(former: [HTTPHeaders.Field] = [], allowsContent: Bool = true) {
      fields = former
      self.allowsContent = allowsContent
    }

    /// The most bytes of header fields and trailers, so that no server fills the memory.
    static let limit = 1024 * 1024

    /// Parses a line with its end. Trailers count as the lines of the head do, because libcurl passes any number of
    /// them.
    mutating func parse(_ line: UnsafeRawBufferPointer) -> Step {
      byteCount += line.count
      guard byteCount <= CurlHead.limit else { return .tooLarge }
      let content = line.withoutLineEnd
      guard !isComplete else {
        trailerCount += 1
        // libcurl (until 7.82) passes any line. Behind a bad chunk size the lines are the content.
        let isField = content.firstIndex(of: UInt8(ascii: ":")) ?? 0 > 0 && !content.contains { $0 == 0 || $0 == 0x0D }
        guard trailerCount <= WebServiceResponse.fieldLimit else { return .tooManyFields }
        return content.isEmpty || isField ? .more : .malformed
      }
      guard let first = content.first else { return end() }
      if statusCode != 0, count < fields.count, fields.withUnsafeBufferPointer({ $0[count].isLine(content) }) {
        count += 1
        return .more
      }
      // Another recipient may end the line at a lone CR (RFC 9112, section 2.2).
      if content.contains(where: { $0 == 0 || $0 == 0x0D }) {
        hasBadLine = true
      } else if statusCode == 0 {
        guard let status = CurlHead.status(of: content) else { return .malformed }
        (version, statusCode) = status
        isOld = content[7] == UInt8(ascii: "0")
      } else if first == 0x20 || first == 0x09 {
        continueLast(with: content)
      } else {
        guard count < WebServiceResponse.fieldLimit else { return .tooManyFields }
        add(content)
      }
      return .more
    }

    /// Ends a head at its empty line. A 101 counts as final: no request asked for another protocol.
    private mutating func end() -> Step {
      guard statusCode >= 200 || statusCode == 101 else {
        (statusCode, hasBadLine, count) = (0, false, 0)
        return .more
      }
      isComplete = true
      if count < fields.count { fields.removeSubrange(count...) }
      guard statusCode != 101 else { return .switched }
      guard !hasBadLine, readFraming() else { return .malformed }
      // These responses have no content, whatever their fields say (RFC 9110, section 6.4.1).
      if statusCode == 204 || statusCode == 304 || !allowsContent { (contentLength, hasCoding) = (0, false) }
      return .complete
    }

    /// Reads the fields about the content. Returns `false` if the response could be read in two ways.
    private mutating func readFraming() -> Bool {
      var isChunked = false
      for index in fields.indices {
        // Comparing the lengths first spares copies of the names.
        switch fields[index].name.utf8.count {
        case 14 where fields[index].name.equalsIgnoringASCIICase("Content-Length"):
          guard readLength(at: index) else { return false }
        case 16 where fields[index].name.equalsIgnoringASCIICase("Content-Encoding"):
          hasCoding = true
        case 17 where fields[index].name.equalsIgnoringASCIICase("Transfer-Encoding"):
          // libcurl would decode other codings than `chunked` too, in pieces of any size.
          let names = fields[index].value.asciiLowercased.split { $0 == "," || $0 == " " || $0 == "\t" }
          guard names.allSatisfy({ $0 == "chunked" || $0 == "identity" }) else { return false }
          isChunked = isChunked || names.contains("chunked")
        default: break
        }
      }
      // The chunks tell where the content ends, whatever a length beside them says (RFC 9112, section 6.3).
      if isChunked, contentLength != nil {
        contentLength = nil
        fields.removeAll { $0.name.equalsIgnoringASCIICase("Content-Length") }
      }
      return true
    }

    /// Reads a length of the content. Returns `false` if it differs from another one or isn't a number (RFC 9112,
    /// section 6.3). A proxy and the library could then see two different responses. A function of its own, because in
    /// the loop the compiler copies the fields that the head shares with the origin, before it knows whether one
    /// changes.
    private mutating func readLength(at index: Int) -> Bool {
      let value = fields[index].value
      guard let length = value.announcedLength, contentLength ?? length == length else { return false }
      contentLength = length
      // One length replaces a list of equal ones.
      if value.utf8.contains(UInt8(ascii: ",")) { fields[index].value = "\(length)" }
      return true
    }

    /// The major version and the status code of a status line (RFC 9112, section 4); `nil` for any other line. The
    /// reason phrase and the space before it may be missing. libcurl writes HTTP/2 without a minor version.
    static func status(of line: UnsafeRawBufferPointer) -> (version: Int, code: Int)? {
      func digit(_ index: Int) -> Int? {
        index < line.count && (0x30...0x39).contains(line[index]) ? Int(line[index] - 0x30) : nil
      }
      guard line.starts(with: "HTTP/".utf8), let version = digit(5) else { return nil }
      let space = digit(7) != nil && line[6] == UInt8(ascii: ".") ? 8 : 6
      guard let first = digit(space + 1), let second = digit(space + 2), let third = digit(space + 3),
        line[space] == 0x20, line.count == space + 4 || line[space + 4] == 0x20
      else { return nil }
      return (version, first * 100 + second * 10 + third)
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
      // libcurl doesn't know a name with white space before its colon, and would ignore such a length or coding.
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[colon - 1] != 0x20, line[colon - 1] != 0x09
      else { return hasBadLine = true }
      let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
      let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutSpaceAround
      var field = HTTPHeaders.Field(name: name.lenientText, value: value.lenientText)
      // Browsers send the bytes of a URL back as they came. In UTF-8 a character of Latin-1 has two bytes.
      if field.value.utf8.count > value.count, field.name.equalsIgnoringASCIICase("Location") {
        field.value = value.map { $0 < 0x80 ? "\(Unicode.Scalar($0))" : "%" + String($0, radix: 16, uppercase: true) }
          .joined()
      }
      if count < fields.count { fields[count] = field } else { fields.append(field) }
      count += 1
    }

    /// A line that begins with white space belongs to the field before it (RFC 9112, section 5.2). libcurl doesn't read
    /// such lines, so a length or a coding must not have one.
    private mutating func continueLast(with line: UnsafeRawBufferPointer) {
      guard count > 0, !fields[count - 1].isFraming else { return hasBadLine = true }
      let last = count - 1
      let more = line.withoutSpaceAround.lenientText
      fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }
  }

  extension HTTPHeaders.Field {
    /// Whether the line has the same bytes as the field in its usual form.
    fileprivate func isLine(_ line: UnsafeRawBufferPointer) -> Bool {
      let end = name.utf8.count
      guard line.count == end + 2 + value.utf8.count, line[end] == UInt8(ascii: ":"), line[end + 1] == 0x20 else {
        return false
      }
      return name.hasBytes(UnsafeRawBufferPointer(rebasing: line[..<end]))
        && value.hasBytes(UnsafeRawBufferPointer(rebasing: line[(end + 2)...]))
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
      while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
      return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// The text in UTF-8. Other bytes are read as Latin-1, the historical charset of fields (RFC 9110, section 5.5).
    fileprivate var lenientText: String {
      // Nearly all text is ASCII. `String(validating:as:)` isn't specialized, and costs as much as the rest of a head.
      if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
      return String(validating: self, as: UTF8.self) ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }
  }
#endif
