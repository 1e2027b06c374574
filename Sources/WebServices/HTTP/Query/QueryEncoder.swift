public import Foundation

/// Encodes any `Encodable` as query items, for a URL or a form.
///
/// ```swift
/// struct Filter: Encodable { var tags: [String], price: Range; struct Range: Encodable { var from: Int } }
/// try QueryEncoder().encode(Filter(tags: ["a", "b"], price: .init(from: 3)))
/// // tags=a, tags=b, price[from]=3
/// ```
///
/// The items come in the order in which the value encodes its members. Dictionaries and sets have no order, so their
/// items are sorted. `nil` is left out, and so is an empty array. Names and values are plain text: they are
/// percent-encoded when the URL or the form is written.
///
/// Numbers are written as JSON has them; a whole `Double` has no fraction. `Data` is Base64, a `URL` its text.
public struct QueryEncoder: Sendable {
  /// How the elements of an array are named.
  public enum Arrays: Hashable, Sendable {
    /// `a=1&a=2`. Elements must be single values.
    case repeated
    /// `a[]=1&a[]=2`
    case brackets
    /// `a[0]=1&a[1]=2`. An element that is `nil` leaves a gap.
    case indexed
    /// `a=1,2`. Elements must be single values without a comma.
    case commas
  }

  /// How the members of a nested value are named.
  public enum NestedKeys: Hashable, Sendable {
    /// `a[b]=1`
    case brackets
    /// `a.b=1`
    case dots
  }

  /// How a date is written.
  public enum Dates: Sendable {
    /// `2001-09-09T01:46:40Z`: UTC, parts of a second cut off, years 0...9999.
    case iso8601
    /// Seconds since 1970, with a fraction if necessary.
    case secondsSince1970
    /// Milliseconds since 1970, rounded to a whole number.
    case millisecondsSince1970
    /// The text that the closure returns. The closure runs on the thread that encodes.
    case custom(@Sendable (Date) throws -> String)
  }

  /// How a boolean is written.
  public enum Booleans: Hashable, Sendable {
    /// `true` and `false`
    case literal
    /// `1` and `0`
    case numeric
  }

  /// How the elements of an array are named.
  public var arrays: Arrays
  /// How the members of a nested value are named.
  public var nestedKeys: NestedKeys
  /// How a date is written.
  public var dates: Dates
  /// How a boolean is written.
  public var booleans: Booleans

  /// How deep a value may be nested.
  static let depthLimit = 64

  /// Creates an encoder. Each parameter sets the property of the same name.
  public init(
    arrays: Arrays = .repeated, nestedKeys: NestedKeys = .brackets, dates: Dates = .iso8601,
    booleans: Booleans = .literal
  ) {
    self.arrays = arrays
    self.nestedKeys = nestedKeys
    self.dates = dates
    self.booleans = booleans
  }

  /// Encodes a value as query items, with the value's own `encode(to:)`.
  ///
  /// - Parameter value: a value with keys, such as a struct or a dictionary.
  /// - Throws: `EncodingError.invalidValue` if the value has no keys, a number isn't finite, or a date can't be
  ///   written. It also throws this for arrays whose content their naming can't express, and for values nested more
  ///   than 64 deep. Errors of the value's own `encode(to:)` are passed on.
  public func encode(_ value: some Encodable) throws -> [URLQueryItem] {
    let root = QueryNode()
    try QueryTreeEncoder(node: root, options: self, depth: 0).encode(value)
    return try root.items(self)
  }
}

private enum QueryEncoderKey: LibraryOptionKey {
  static var defaultValue: QueryEncoder? { nil }
}

extension RequestOptions {
  /// Encodes the request's `query` and form bodies; `nil` means the configuration's encoder.
  public var queryEncoder: QueryEncoder? {
    get { self[QueryEncoderKey.self] }
    set { self[QueryEncoderKey.self] = newValue }
  }
}
