import Foundation

/// A body of several parts, `multipart/form-data` (RFC 7578): fields, data, files and streams.
///
/// ```swift
/// .multipart(MultipartBody([.field("title", "Lunch"), .file("photo", photoURL)]))
/// ```
///
/// Files and streams are read while the body is sent, a piece at a time. The length is known if the length of each
/// part is known.
///
/// The article <doc:DescribingRequests> has samples.
public struct MultipartBody: Sendable {
  /// The parts in their order.
  public var parts: [Part]
  /// The boundary between the parts.
  public let boundary: String

  /// Creates a body.
  ///
  /// - Parameters:
  ///   - parts: the parts in their order.
  ///   - boundary: the text between the parts: 1 to 70 letters, digits, `'()+_,-./:=?` and inner spaces (RFC 2046,
  ///     section 5.1.1). `nil`, the default, makes a boundary of 128 random bits. Your own boundary must not occur in
  ///     any part. The library searches parts in memory, but not files and streams.
  public init(_ parts: [Part] = [], boundary: String? = nil) {
    self.parts = parts
    self.boundary = boundary ?? Self.randomBoundary()
  }

  /// The media type with the boundary, for `Content-Type`.
  public var contentType: String {
    MediaType(type: "multipart", subtype: "form-data", parameters: ["boundary": boundary]).description
  }

  /// Whether every part can be sent again.
  public var isReplayable: Bool { parts.allSatisfy(\.isReplayable) }

  /// The parts as one stream. Reads the sizes of files, and so may block.
  func stream() throws(RequestBodyError) -> JoinedBodyStream {
    guard Self.isValid(boundary) else {
      throw RequestBodyError(
        .invalidBoundary, "the boundary has an invalid character or length; use 1 to 70 letters and digits")
    }
    var pieces: [JoinedBodyStream.Piece] = []
    for part in parts {
      let content = try part.piece()
      if case .bytes(let data) = content, data.range(of: Data("--\(boundary)".utf8)) != nil {
        throw RequestBodyError(
          .invalidPart, "the content of a part contains the boundary; use another boundary or none")
      }
      // The line end before a delimiter belongs to the delimiter, not to the content (RFC 2046, section 5.1.1).
      let lead = pieces.isEmpty ? "" : "\r\n"
      pieces.append(.bytes(Data("\(lead)--\(boundary)\r\n\(try part.head())\r\n".utf8)))
      pieces.append(content)
    }
    pieces.append(.bytes(Data("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))
    return try JoinedBodyStream(pieces)
  }

  /// A boundary with so many random digits that no content contains it by chance. Files and streams can't be searched
  /// for the boundary before they are sent.
  private static func randomBoundary() -> String {
    let digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }
    return "feather-\(digits.joined())"
  }

  private static func isValid(_ boundary: String) -> Bool {
    let characters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)
    return (1...70).contains(boundary.utf8.count) && boundary.utf8.allSatisfy(characters.contains)
      && boundary.utf8.last != UInt8(ascii: " ")
  }
}

extension RequestBody {
  /// Fields, data and files, of the type `multipart/form-data`. Files are read while they are sent. A part that can't
  /// be sent ends the request with an error of kind `.invalidRequest`, with a ``RequestBodyError`` below it.
  public static func multipart(_ body: MultipartBody) -> RequestBody {
    RequestBody(contentType: body.contentType, isReplayable: body.isReplayable) { _ in
      Content(body: .stream(try body.stream()))
    }
  }
}
