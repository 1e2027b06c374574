import Foundation

/// A number of a document, read from its text. `init` checks the form, `-digits[.digits][e±digits]`, because
/// `JSONReader` finds only the number's end. `double` is the nearest `Double`.
struct JSONNumber {
  /// The first 19 digits without leading zeros. Any 19 digits fit into 64 bits.
  private(set) var significand: UInt64 = 0
  /// The power of ten that the significand is multiplied by.
  private(set) var exponent = 0
  private(set) var isNegative = false
  /// Whether the significand has all digits and the exponent is right.
  private(set) var isExact = true
  private(set) var isInteger = true

  /// `nil` if the number isn't well-formed.
  @inline(__always)
  init?(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    var next = bytes
    let end = bytes + length
    if next.pointee == UInt8(ascii: "-") {
      isNegative = true
      next += 1
    }
    let first = next
    var digits = 0
    readDigits(&next, end, &digits)
    // RFC 8259, section 6: leading zeros aren't allowed.
    guard next > first, next - first == 1 || first.pointee != UInt8(ascii: "0") else { return nil }
    guard next < end else { return }
    isInteger = false
    if next.pointee == UInt8(ascii: ".") {
      next += 1
      let fraction = next
      readDigits(&next, end, &digits)
      guard next > fraction else { return nil }
      exponent -= next - fraction
    }
    if next < end {
      guard next.pointee | 0x20 == UInt8(ascii: "e"), readExponent(next + 1, end) else { return nil }
    }
  }

  @inline(__always)
  private mutating func readDigits(_ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ digits: inout Int)
  {
    while next < end, next.pointee &- 0x30 < 10 {
      if digits > 0 || next.pointee != 0x30 { digits += 1 }
      if digits <= 19 {
        significand = significand &* 10 &+ UInt64(next.pointee &- 0x30)
      } else {
        isExact = false
      }
      next += 1
    }
  }

  /// - Returns: `false` if the exponent is malformed.
  private mutating func readExponent(_ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var next = first
    let isNegative = next < end && next.pointee == UInt8(ascii: "-")
    if isNegative || (next < end && next.pointee == UInt8(ascii: "+")) { next += 1 }
    guard next < end else { return false }
    var value = 0
    while next < end {
      guard next.pointee &- 0x30 < 10 else { return false }
      // A larger exponent could overflow. The standard library then reads the number.
      if value < 100_000 { value = value * 10 + Int(next.pointee &- 0x30) } else { isExact = false }
      next += 1
    }
    exponent += isNegative ? -value : value
    return true
  }

  // MARK: Doubles

  /// The nearest `Double`; a tie rounds to even. `nil` if rounding takes more than one division of 128 bits by 64, as
  /// it does for many digits with a positive exponent.
  @inline(__always)
  var double: Double? {
    guard isExact else { return nil }
    guard significand != 0 else { return isNegative ? -0.0 : 0.0 }
    guard exponent != 0 else { return isNegative ? -Double(significand) : Double(significand) }
    let magnitude: Double
    if significand < 1 << 53, exponent >= -22, exponent <= 22 {
      // A `Double` holds integers below 2^53 and powers of ten up to 10^22 exactly, so there is only one rounding.
      magnitude =
        exponent < 0
        ? Double(significand) / Self.powersOfTen[-exponent] : Double(significand) * Self.powersOfTen[exponent]
    } else if exponent >= -27, exponent < 0 {
      // 5^27 is the greatest power of five below 2^64.
      magnitude = quotient
    } else {
      return nil
    }
    return isNegative ? -magnitude : magnitude
  }

  /// `significand / 5^-exponent * 2^exponent`.
  private var quotient: Double {
    let divisor = Self.powersOfFive[-exponent]
    let divisorShift = divisor.leadingZeroBitCount
    let shift = significand.leadingZeroBitCount
    // Half of the significand: `dividingFullWidth` traps unless the high word is less than the divisor.
    let dividend = (significand << UInt64(shift)) >> 1
    let lost = significand << UInt64(shift) & 1
    let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth((dividend, lost << 63))
    // The quotient has at least 63 bits, and a `Double` has 53. The last bit tells that there is a remainder.
    let value = Double(quotient | (remainder != 0 ? 1 : 0))
    let power = exponent - shift + 1 + divisorShift - 64
    // The product is exact, because it is far from the smallest and the greatest `Double`.
    return value * Double(bitPattern: UInt64(1023 + power) << 52)
  }

  private static let powersOfTen: [Double] = (0...22).map { power in (0..<power).reduce(1) { value, _ in value * 10 } }
  private static let powersOfFive: [UInt64] = (0...27).map { power in (0..<power).reduce(1) { value, _ in value * 5 } }
}

extension JSONDocument {
  /// The number as an integer of this type, if it is one. `1.0` is an integer.
  ///
  /// Each type reads an `Int64` and narrows it, because a copy of the reading for each type would be large.
  @inline(__always)
  func integer<Value: FixedWidthInteger & Decodable>(_ index: Int) -> Value? {
    if let value = int64(index) { return Value(exactly: value) }
    let isWider = Value.bitWidth > 64 || Value.bitWidth == 64 && !Value.isSigned
    return isWider ? unusualInteger(node(index)) : nil
  }

  @inline(never)
  private func int64(_ index: Int) -> Int64? { inlinedInt64(index) }

  /// The number as an `Int64`, if it is one. Inlined for the loop over an array of numbers.
  @inline(__always)
  func inlinedInt64(_ index: Int) -> Int64? {
    let node = node(index)
    // 18 digits can't overflow an `Int64`.
    guard node.kind == .integer, node.length <= 18 else { return unusualInteger(node) }
    let bytes = bytes + node.offset
    let isNegative = bytes.pointee == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    let digits = node.length - position
    guard digits > 0, bytes[position] != UInt8(ascii: "0") || digits == 1 else { return nil }
    var value: Int64 = 0
    while position < node.length {
      value = value &* 10 &+ Int64(bytes[position] &- 0x30)
      position += 1
    }
    return isNegative ? -value : value
  }

  /// A number with many digits, a fraction or an exponent; `nil` for anything else.
  @inline(never)
  private func unusualInteger<Value: FixedWidthInteger & Decodable>(_ node: JSONNode) -> Value? {
    guard let number = number(node) else { return nil }
    if number.isInteger { return Value(text(node)) }
    guard let double = number.double ?? Double(text(node)), let value = Value(exactly: double) else { return nil }
    // From 2^53 on, a `Double` equals several integers. Foundation's results for such numbers aren't documented.
    return double.magnitude < 0x1p53 ? value : try? JSONDecoder().decode(Value.self, from: Data(text(node).utf8))
  }

  /// The parts of a number; `nil` for anything else.
  @inline(__always)
  private func number(_ node: JSONNode) -> JSONNumber? {
    node.isNumber ? JSONNumber(bytes + node.offset, node.length) : nil
  }

  /// The number, or the value of a string such as `"inf"` if the decoder's settings allow one; `nil` for anything else.
  @inline(__always)
  func double(_ index: Int) -> Double? {
    let node = node(index)
    guard let number = number(node) else { return specialFloat(node) }
    return number.double ?? Self.checked(Double(text(node)), number)
  }

  func float(_ index: Int) -> Float? {
    let node = node(index)
    guard let number = number(node) else { return specialFloat(node).map { Float($0) } }
    return Self.checked(Float(text(node)), number)
  }

  func decimal(_ index: Int) -> Decimal? {
    let node = node(index)
    return number(node).flatMap { _ in Decimal(string: text(node)) }
  }

  /// The number; `nil` if it is too large, or rounds to 0 without being 0. Foundation refuses both.
  private static func checked<Value: BinaryFloatingPoint>(_ value: Value?, _ number: JSONNumber) -> Value? {
    value.flatMap { $0.isFinite && ($0 != 0 || number.significand == 0) ? $0 : nil }
  }

  /// The value of a string that represents a number that JSON lacks, such as infinity.
  private func specialFloat(_ node: JSONNode) -> Double? {
    guard node.kind == .ascii || node.kind == .unicode,
      case .convertFromString(let infinity, let negativeInfinity, let nan) = settings.floats
    else { return nil }
    let text = UnsafeBufferPointer(start: bytes + node.offset, count: node.length)
    if text.elementsEqual(infinity.utf8) { return .infinity }
    if text.elementsEqual(negativeInfinity.utf8) { return -.infinity }
    return text.elementsEqual(nan.utf8) ? .nan : nil
  }

  func text(_ node: JSONNode) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes + node.offset, count: node.length), as: UTF8.self)
  }
}
