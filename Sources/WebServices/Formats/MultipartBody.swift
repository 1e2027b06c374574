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
/// The article <doc:SendingBodies> has samples.
public struct MultipartBody: Sendable {
  let parts: [Part]
  let boundary: String

  /// Creates a body.
  ///
  /// - Parameter parts: the parts in their order.
  public init(_ parts: [Part]) {
    // No content contains so many random digits by chance. Files and streams can't be searched before they are sent.
    let random = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    self.init(parts, boundary: "feather-\(random.hexadecimal)")
  }

  /// Creates a body with a boundary that tests can expect.
  package init(_ parts: [Part], boundary: String) {
    self.parts = parts
    self.boundary = boundary
  }

  /// The parts, joined if all are in memory. Reads the sizes of files, and so may block.
  func joined() throws(RequestBodyError) -> TransportBody {
    var pieces: [TransportBody] = []
    for part in parts {
      // The line end before a delimiter belongs to the delimiter, not to the content (RFC 2046, section 5.1.1).
      let lead = pieces.isEmpty ? "" : "\r\n"
      pieces.append(.data(Data("\(lead)--\(boundary)\r\n\(try part.head())\r\n".utf8)))
      if case .file(let url) = part.content {
        pieces.append(.stream(try FileBodyStream(url)))
      } else {
        pieces.append(part.content)
      }
    }
    pieces.append(.data(Data("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))
    let data = pieces.compactMap(\.data)
    return data.count == pieces.count
      ? .data(data.reduce(into: Data()) { $0 += $1 }) : .stream(try JoinedBodyStream(pieces))
  }
}

extension RequestBody {
  /// Fields, data and files, of the type `multipart/form-data`. Files are read while they are sent. A part that can't
  /// be sent ends the request with an error of kind `.invalidRequest`, with a ``RequestBodyError`` below it.
  public static func multipart(_ body: MultipartBody) -> RequestBody {
    let type = HTTPHeaders.MediaType(type: "multipart", subtype: "form-data", parameters: ["boundary": body.boundary])
    let isReplayable = body.parts.allSatisfy(\.content.isReplayable)
    return RequestBody(contentType: type.description, isReplayable: isReplayable) { _ in try body.joined() }
  }
}
