import Foundation

/// A stream whose bytes don't show what they were made of, and that tells it to who looks for secrets: no secret may
/// follow a redirect, nor be read in an error.
protocol DisclosingBodyStream: TransportBodyStream {
  /// The fields whose text is in memory.
  var disclosedFields: [URLQueryItem] { get }
  /// What the bytes were made of.
  var disclosedBodies: [TransportBody] { get }
}

extension DisclosingBodyStream {
  var disclosedFields: [URLQueryItem] { [] }
}
