import Foundation

/// A stream whose bytes hide the content they were made from. A search for secrets reads the content instead: no secret may
/// follow a redirect or appear in an error.
protocol DisclosingBodyStream: TransportBodyStream {
  var disclosure: BodyDisclosure { get }
  /// All bytes; `nil` if a piece of them is a file or a stream.
  var bytesInMemory: Data? { get }
}

/// The content that the bytes of a stream were made from.
enum BodyDisclosure {
  /// The content before the last content coding.
  case original(TransportBody)
  case parts([Part])

  /// A part of a multipart body.
  struct Part {
    let name: String
    /// The header fields, `Content-Type` included.
    let headers: HTTPHeaders
    let content: TransportBody
  }
}
