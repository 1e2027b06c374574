/// A word of a tape, the array of 64-bit words into which `JSONReader` reads a document. `JSONDocument` and
/// `JSONOutline` find values on the tape, and read only texts and numbers from the document's bytes.
///
/// A word tells the kind of a value, the index of its first byte and its length. The values have the document's order.
/// Strings, numbers and literals take one word. A container takes some more, and its members or elements follow; a
/// member is a name and a value.
///
/// | word of a container | bits 0 to 31 | bits 32 to 59 | bits 60 to 63 |
/// |---|---|---|---|
/// | 0 | first byte | members or elements | kind |
/// | 1 | index after the container | index of the name to search next | |
/// | 2 | index of the container around it | its number there, see `JSONStep` | |
/// | 3, of objects only | hashes of the names before that one, as a set of bits | | |
package struct JSONNode {
  /// The kind of a value. `JSONReader` and `isContainer` rely on the order of the cases: containers come last, objects
  /// behind arrays, and setting the last bit of `object` makes an `oddObject`.
  package enum Kind: UInt8 {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    case number
    /// A string of ASCII without escape sequences.
    case ascii
    /// A string with other bytes, which may not be UTF-8, without escape sequences.
    case unicode
    /// A string with escape sequences or control characters, which may be invalid.
    case escaped
    /// A name of ASCII without escape sequences, with its hash.
    case name
    /// Any other name. Its text has to be decoded before it can be compared.
    case oddName
    /// Stands for the missing value of a member, if a malformed document breaks off after the member's name.
    case end
    case array, object
    /// An object with an odd name.
    case oddObject
  }

  /// The most bytes of a document, which bits 32 to 59 can hold.
  static let maximumLength = (1 << 28) - 1
  /// The most bytes of a plain name, which leave room for the hash.
  static let maximumNameLength = (1 << 12) - 1
  /// Words of a container before its first member or element.
  static let arrayHead = 3
  static let objectHead = 4

  let bits: UInt64

  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(_ kind: Kind, at offset: Int, length: Int) {
    bits = UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32 | UInt64(truncatingIfNeeded: offset)
  }

  /// A plain name.
  @inline(__always)
  init(hash: UInt32, at offset: Int, length: Int) {
    bits = UInt64(Self.key(hash: hash, length: length)) << 32 | UInt64(truncatingIfNeeded: offset)
  }

  @inline(__always)
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits >> 60)) ?? .end }

  @inline(__always)
  var isContainer: Bool { bits >> 60 >= UInt64(Kind.array.rawValue) }

  /// Words before the first member or element, or of a value that isn't a container.
  var headLength: Int { isObject ? Self.objectHead : isContainer ? Self.arrayHead : 1 }

  @inline(__always)
  var isObject: Bool { bits >> 60 >= UInt64(Kind.object.rawValue) }

  var isNumber: Bool { kind == .integer || kind == .number }

  /// Whether the value is a name or a string. Both stand between quotes.
  var isText: Bool { (Kind.ascii.rawValue...Kind.oddName.rawValue).contains(kind.rawValue) }

  /// The index of the first byte. For a string that is the byte after the quote.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

  /// Bytes of a string, without quotes, or of a number; members or elements of a container.
  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: bits >> 32 & 0x0FFF_FFFF) }

  /// Bytes of a name.
  @inline(__always)
  var nameLength: Int { kind == .name ? length & JSONNode.maximumNameLength : length }

  /// Kind, length and hash of a name, as `key(hash:length:)` makes them.
  @inline(__always)
  var key: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }

  @inline(__always)
  static func key(hash: UInt32, length: Int) -> UInt32 {
    UInt32(Kind.name.rawValue) << 28 | hash << 12 | UInt32(truncatingIfNeeded: length)
  }

  /// The bit of a name in the set of an object's names. Different names may have the same bit.
  @inline(__always)
  static func mask(of key: UInt32) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key >> 12 & 63) }
}

/// A hash of 16 bits, made of the first and the last bytes. Equal names have the same hash.
@inline(__always)
func jsonHash(_ name: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
  let bytes = UnsafeRawPointer(name)
  let head: UInt64
  let tail: UInt64
  if length >= 8 {
    head = bytes.loadUnaligned(as: UInt64.self)
    tail = bytes.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
  } else if length >= 4 {
    head = UInt64(bytes.loadUnaligned(as: UInt32.self))
    tail = UInt64(bytes.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
  } else if length > 0 {
    // With 1 to 3 bytes some are read twice, but no byte after the name is read.
    head = UInt64(name[0]) << 8 | UInt64(name[length >> 1])
    tail = UInt64(name[length - 1])
  } else {
    return 0
  }
  // Fibonacci hashing: the factor is 2^64 divided by the golden ratio, and the highest bits depend on all others.
  let mixed = (head ^ (tail << 29 | tail >> 35)) &* 0x9E37_79B9_7F4A_7C15
  return UInt32(truncatingIfNeeded: mixed >> 48)
}
