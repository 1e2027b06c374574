import Foundation

/// A type that is decoded by itself, with JSON that fits or almost fits.
package struct JSONScalar: Sendable {
  let type: any (Decodable & Sendable).Type
  let pieces: [String]

  private static func pieces(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static let integers = pieces(
    """
    0 -0 1 -1 127 128 -128 -129 255 256 32767 32768 -32769 65535 65536 2147483647 2147483648 -2147483649 4294967295
    4294967296 9007199254740991 9007199254740992 9007199254740993 9223372036854775807 9223372036854775808
    -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
    170141183460469231731687303715884105727 340282366920938463463374607431768211455
    340282366920938463463374607431768211456 1.0 1.5 1e3 1E+2 15e-1 10e-1 1.0000000000000001 9007199254740993.0
    9007199254740993.5 9223372036854775807.0 1e18 1e19 123456789012345678 1234567890123456789 12345678901234567890
    01 -01 00 1. .5 - 1e 1e+ 1.2.3 1-2 +1 0.0 -0.0 1.e5 100000000000000000001e-20 -1e-400
    """)
  private static let floats =
    integers
    + pieces(
      """
      1e400 -1e400 1e-400 1e308 1.7976931348623157e308 1.7976931348623159e308 5e-324 2e-324 2.2250738585072014e-308
      0.1 0.2 0.3 -65.613616999999977 43.420273000000009 3.141592653589793238
      2.718281828459045235360287471352662497757 1e22 1e23 8.5e22 123456789012345678e-27 9e27 9e28
      179769313486231570000000000000000000001e270 0.000000000000000000000000000000000000000001 3.4028235e38
      3.4028236e38 1.17549435e-38 1e-45 16777217 16777219.0 33554435 7.0385307e-26 0.5000000298023224
      9007199254740993e1 9007199254740993e-1 0.30000000000000004 1e-27 4503599627370497.5 1e27
      0.00001000000000000000000000000000000001 "inf" "-inf" "nan" "NaN"
      """)
  private static let strings = [
    "\"\"", "\"a\"", "\"abcdefg\"", "\"abcdefgh\"", "\"abcdefghijklmnop\"", "\"a longer text with some words in it\"",
    "\"é\"", "\"12345678é\"", "\"e\u{301}\"", "\"😀\"", "\"\\n\\t\\r\\b\\f\\/\\\\\\\"\"", "\"\\u0041\"", "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"", "\"\\uD83D\"", "\"\\uDE00\"", "\"\\ud83dx\"", "\"\\ud83d\\u0041\"", "\"\\u0000\"", "\"\\q\"",
    "\"\\u12g4\"", "\"\\u12\"", "\"a\tb\"", "\"\\na\tb\"", "\"\u{7F}\"", "\"\u{2028}\"", "\"\\uFFFF\"", "\"\u{0}\"",
    "\"\\\"", "\"abc",
  ]
  private static let texts = [
    "\"2026-11-22T14:21:30Z\"", "\"2026-11-22T14:21:30.5Z\"", "\"2026-02-30T00:00:00Z\"", "\"yesterday\"",
    "\"0001-01-01T00:00:00Z\"", "\"1582-10-10T12:00:00Z\"", "\"2026-11-22T14:21:30+01:00\"", "\"2026-11-22T24:00:00Z\"",
    "\"2026-12-31T23:59:60Z\"", "\"aGVsbG8=\"", "\"aGVsbG8\"", "\"aGVs bG8=\"", "\"aGVs\\nbG8=\"",
    "\"http://example.com/a?b=c\"", "\"http://[x\"", "\"a b\"", "\"%\"",
  ]
  private static let decimals =
    floats + ["0.1234567890123456789012345678901234567890123456789", "1e127", "1e128", "1e-130"]

  package static let all: [JSONScalar] = [
    JSONScalar(type: Bool.self, pieces: ["true", "false", "tru", "falsex", "1"]),
    JSONScalar(type: String.self, pieces: strings), JSONScalar(type: Double.self, pieces: floats),
    JSONScalar(type: Float.self, pieces: floats), JSONScalar(type: Int.self, pieces: integers),
    JSONScalar(type: Int8.self, pieces: integers), JSONScalar(type: Int16.self, pieces: integers),
    JSONScalar(type: Int32.self, pieces: integers), JSONScalar(type: Int64.self, pieces: integers),
    JSONScalar(type: UInt.self, pieces: integers), JSONScalar(type: UInt8.self, pieces: integers),
    JSONScalar(type: UInt16.self, pieces: integers), JSONScalar(type: UInt32.self, pieces: integers),
    JSONScalar(type: UInt64.self, pieces: integers), JSONScalar(type: Decimal.self, pieces: decimals),
    JSONScalar(type: Date.self, pieces: texts + ["0", "1.5", "1700000000", "1e400"]),
    JSONScalar(type: Data.self, pieces: texts + ["[1,2]", "[256]", "[]"]), JSONScalar(type: URL.self, pieces: texts),
    JSONScalar(type: [String].self, pieces: ["[]", "[\"a\"]", "[\"a\",\"é\\n\"]", "[\"a\",null]", "[1]", "[\"\\q\"]"]),
    JSONScalar(type: [Int].self, pieces: ["[1,2,3]", "[1,2.0]", "[1,2.5]", "[null]", "[\"1\"]", "[[1]]"]),
    JSONScalar(type: [Double].self, pieces: ["[1,2.5]", "[-0]", "[1,1e999]", "[\"inf\"]", "[true]", "[1,01]"]),
    JSONScalar(type: [Bool].self, pieces: ["[true,false]", "[true,null]", "[0]"]),
    JSONScalar(type: [[Double]].self, pieces: ["[[1],[2.5,3]]", "[[],[null]]", "[1]"]),
    JSONScalar(type: [Int?].self, pieces: ["[1,null]", "[null,\"x\"]"]),
    JSONScalar(
      type: [String: String].self,
      pieces: ["{\"a_b\":\"c\"}", "{\"a\":1}", "{\"a\":null}", "{\"a\":\"1\",\"a\":\"2\"}"]),
    JSONScalar(type: [String: Int].self, pieces: ["{\"a_b\":1}", "{\"a\":\"1\"}", "{\"a\":1.5}", "{\"\\q\":1}"]),
    JSONScalar(type: [String: Double].self, pieces: ["{\"a_b\":1}", "{\"a\":\"nan\"}", "{\"\\u00e9\":1.5}"]),
    JSONScalar(type: Set<String>.self, pieces: ["[\"a\"]", "[1]"]),
  ]
}
