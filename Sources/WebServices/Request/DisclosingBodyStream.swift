/// A stream whose bytes don't show what they were made of. It tells that to a search for secrets: no secret may follow a
/// redirect, nor be read in an error.
protocol DisclosingBodyStream: TransportBodyStream {
  var disclosure: BodyDisclosure { get }
}

/// What the bytes of a stream were made of.
enum BodyDisclosure {
  /// The content before the last content coding was applied.
  case original(TransportBody)
  case parts([MultipartBody.Part])
}
