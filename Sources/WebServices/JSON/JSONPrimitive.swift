import Foundation

/// A type for which the standard library's containers have a method of its own. The generic methods of this library's
/// containers serve as those methods.
protocol JSONPrimitive: Decodable {
  /// The value at an index of the tape; `nil` if the value there has another type.
  static func value(at index: Int, in document: JSONDocument) -> Self?
}

extension JSONPrimitive where Self: FixedWidthInteger {
  @inline(__always)
  static func value(at index: Int, in document: JSONDocument) -> Self? { document.integer(index) }
}

extension Bool: JSONPrimitive {
  @inline(__always)
  static func value(at index: Int, in document: JSONDocument) -> Bool? {
    let kind = document.kind(index)
    return kind == .true || kind == .false ? kind == .true : nil
  }
}

extension String: JSONPrimitive {
  @inline(__always)
  static func value(at index: Int, in document: JSONDocument) -> String? { document.string(index) }
}

extension Double: JSONPrimitive {
  @inline(__always)
  static func value(at index: Int, in document: JSONDocument) -> Double? { document.double(index) }
}

extension Float: JSONPrimitive {
  static func value(at index: Int, in document: JSONDocument) -> Float? { document.float(index) }
}

extension Int: JSONPrimitive {}
extension Int8: JSONPrimitive {}
extension Int16: JSONPrimitive {}
extension Int32: JSONPrimitive {}
extension Int64: JSONPrimitive {}
extension UInt: JSONPrimitive {}
extension UInt8: JSONPrimitive {}
extension UInt16: JSONPrimitive {}
extension UInt32: JSONPrimitive {}
extension UInt64: JSONPrimitive {}
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension Int128: JSONPrimitive {}
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension UInt128: JSONPrimitive {}
