public import Foundation

// Values that signatures are made of.

extension RequestSigner {
  /// SHA-256 of bytes (FIPS 180-4): `RequestSigner.sha256(text.utf8)`.
  ///
  /// - Returns: the digest, 32 bytes long.
  public static func sha256(_ bytes: some Collection<UInt8>) -> Data { Data(SHA256.hash(bytes)) }

  /// HMAC with SHA-256 (RFC 2104).
  ///
  /// - Parameters:
  ///   - bytes: the message.
  ///   - key: a key of any length.
  /// - Returns: the code, 32 bytes long.
  public static func hmacSHA256(_ bytes: some Collection<UInt8>, key: some Collection<UInt8>) -> Data {
    let short = key.count > SHA256.blockSize ? SHA256.hash(key) : Array(key)
    let padded = short + [UInt8](repeating: 0, count: SHA256.blockSize - short.count)
    let inner = SHA256.hash(padded.map { $0 ^ 0x36 } + bytes)
    return Data(SHA256.hash(padded.map { $0 ^ 0x5C } + inner))
  }
}

extension TransportRequest {
  /// The value of `Host`: the request's own field, or else the host and the port of the URL as a transport writes them.
  public var hostField: String { headers["Host"] ?? target?.origin.hostAndPort ?? "" }

  /// SHA-256 of the body. It reads a file or a stream from its start to its end, on the thread of the caller.
  ///
  /// - Throws: the error of a body that can't be read, or of a stream that can be read only once.
  public func bodySHA256() throws -> Data {
    if case .data(let data) = body { return RequestSigner.sha256(data) }
    guard body.isReplayable else {
      throw BodyFailure(description: "a stream that can be read only once can't be signed")
    }
    var hash = SHA256()
    if let reader = try body.makeReader() {
      defer { reader.close() }
      while case let piece = try reader.read(upTo: 128 * 1024), !piece.isEmpty { hash.update(piece) }
    }
    return Data(hash.finalize())
  }
}
