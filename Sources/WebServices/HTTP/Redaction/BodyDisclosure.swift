package import Foundation

/// A stream that tells which content its bytes were made from, such as the text before compression. A search for
/// secrets reads that content, because no secret may follow a redirect or appear in an error.
package protocol DisclosingBodyStream: TransportBodyStream {
  var disclosure: BodyDisclosure { get }
  /// All bytes; `nil` if a piece of them is a file or a stream.
  var bytesInMemory: Data? { get }
}

/// The content that the bytes of a stream were made from.
package enum BodyDisclosure {
  /// The content before the last content coding.
  case original(TransportBody)
  case parts([Part])

  /// A part of a multipart body.
  package struct Part {
    package let name: String
    /// The header fields, `Content-Type` included.
    package let headers: HTTPHeaders
    package let content: TransportBody

    package init(name: String, headers: HTTPHeaders, content: TransportBody) {
      self.name = name
      self.headers = headers
      self.content = content
    }
  }
}
