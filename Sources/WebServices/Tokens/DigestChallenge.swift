import Foundation

/// Reads a server's challenge for a digest of the password, and makes the field that responds to it (RFC 7616). Choose
/// a challenge with `best(of:)`, then call `field`.
struct DigestChallenge: Hashable, Sendable {
  /// The hash algorithms that the library can respond with, in the order of preference.
  enum Algorithm: String, CaseIterable, Sendable {
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case md5 = "MD5"
    case md5Session = "MD5-sess"

    var isOfSession: Bool { self == .sha256Session || self == .md5Session }

    func hash(_ text: String) -> String {
      (rawValue.hasPrefix("SHA") ? SHA256.hash(text.utf8) : MD5.hash(text.utf8)).hexadecimal
    }
  }

  let realm: String
  let nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// The algorithm as the server wrote it; `nil` if it named none.
  let algorithmName: String?
  /// Whether the server counts requests (`qop=auth`). Servers from before RFC 2617 don't.
  let isCounted: Bool

  /// Reads a challenge; `nil` for another scheme, and for a challenge that the library can't respond to.
  init?(_ challenge: AuthenticationChallenge) {
    let parameters = challenge.parameters
    guard challenge.scheme.equalsIgnoringASCIICase("Digest"), let realm = parameters["realm"],
      let nonce = parameters["nonce"]
    else { return nil }
    algorithmName = parameters["algorithm"]
    // A challenge without an algorithm means MD5 (RFC 7616, section 3.3).
    let name = algorithmName ?? Algorithm.md5.rawValue
    guard let algorithm = Algorithm.allCases.first(where: { $0.rawValue.equalsIgnoringASCIICase(name) })
    else { return nil }
    let qualities = parameters["qop"]?.split(separator: ",").map(\.trimmingFieldWhitespace)
    isCounted = qualities?.contains { $0.equalsIgnoringASCIICase("auth") } ?? false
    // A server that asks for `auth-int` alone wants a hash of the body too.
    guard isCounted || qualities == nil else { return nil }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    opaque = parameters["opaque"]
  }

  /// The strongest of the challenges that the library can respond to.
  static func best(of challenges: [AuthenticationChallenge]) -> DigestChallenge? {
    let known = challenges.compactMap(DigestChallenge.init)
    return Algorithm.allCases.lazy.compactMap { algorithm in known.first { $0.algorithm == algorithm } }.first
  }

  /// The value of `Authorization` (RFC 7616, section 3.4).
  ///
  /// - Parameters:
  ///   - target: the path and the query in the sent form.
  ///   - count: counts the requests with this nonce from 1.
  ///   - clientNonce: a random text of the client's.
  func field(
    user: String, password: String, method: HTTPMethod, target: Substring, count: UInt32, clientNonce: String
  ) -> String {
    // The server expects each number once for a nonce.
    let count = String(format: "%08x", count)
    // The hash of A1 (RFC 7616, section 3.4.2).
    var secret = algorithm.hash("\(user):\(realm):\(password)")
    if algorithm.isOfSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
    // The hash of A2 (RFC 7616, section 3.4.3).
    let action = algorithm.hash("\(method):\(target)")
    let middle = isCounted ? "\(nonce):\(count):\(clientNonce):auth" : nonce
    let isPlain = user.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    var parts = [
      isPlain ? "username=\(user.quotedString)" : "username*=UTF-8''\(user.percentEncoded(.everythingReserved))",
      "realm=\(realm.quotedString)", "nonce=\(nonce.quotedString)", "uri=\(target.quotedString)",
    ]
    // Section 3.4 lists the values that are quoted. `algorithm`, `qop` and `nc` must not be.
    parts.append("response=\"\(algorithm.hash("\(secret):\(middle):\(action)"))\"")
    if algorithmName != nil { parts.append("algorithm=\(algorithm.rawValue)") }
    if let opaque { parts.append("opaque=\(opaque.quotedString)") }
    if isCounted { parts += ["qop=auth", "nc=\(count)"] }
    if isCounted || algorithm.isOfSession { parts.append("cnonce=\(clientNonce.quotedString)") }
    return "Digest " + parts.joined(separator: ", ")
  }
}

/// Hashes bytes with MD5 (RFC 1321), for the digests of servers that know nothing better. It protects nothing else.
enum MD5 {
  /// Hashes bytes in memory.
  static func hash(_ content: some Collection<UInt8>) -> [UInt8] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let bitCount = UInt64(content.count) &* 8
    // The padding ends 8 bytes before the end of a block, where the length stands (RFC 1321, sections 3.1 and 3.2).
    let zeros = (119 - content.count % 64) % 64
    let content = Array(content) + [0x80] + [UInt8](repeating: 0, count: zeros) + bytes(bitCount)
    for start in stride(from: 0, to: content.count, by: 64) { compress(content[start..<start + 64], into: &state) }
    return state.flatMap(bytes)
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    // Words are little-endian (RFC 1321, section 2).
    let words = (0..<16).map { word in
      (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mix, word): (UInt32, Int) =
        switch index / 16 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) % 16)
        case 2: (b ^ c ^ d, (3 * index + 5) % 16)
        default: (c ^ (b | ~d), 7 * index % 16)
        }
      let sum = a &+ mix &+ constants[index] &+ words[word]
      let shift = shifts[index / 16][index % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
  }

  /// The rotations of the four rounds, four each (RFC 1321, section 3.4).
  private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  /// The integer part of 2^32 times the absolute value of the sine of 1 to 64 (RFC 1321, section 3.4).
  private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
}
