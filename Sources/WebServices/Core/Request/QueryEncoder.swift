public import Foundation

/// Encodes any `Encodable` as query items, for a URL or a form.
///
/// ```swift
/// struct Filter: Encodable { var tags: [String], price: Range; struct Range: Encodable { var from: Int } }
/// try QueryEncoder().encode(Filter(tags: ["a", "b"], price: .init(from: 3)))
/// // tags=a, tags=b, price[from]=3
/// ```
///
/// The items come in the order of their names. `nil` is left out, and so is an empty array. Names and values are plain
/// text: they are percent-encoded when the URL or the form is written.
///
/// Values are written as Foundation's `JSONEncoder` has them: a whole `Double` has no fraction, `Data` is Base64, and a
/// `URL` its text. Numbers that fit a `Decimal` have all digits and no exponent, whose plus sign some servers read as a
/// space.
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
    /// `2001-09-09T01:46:40Z`: UTC, parts of a second cut off, years 1...9999.
    case iso8601
    /// Seconds since 1970, with a fraction if necessary.
    case secondsSince1970
    /// Milliseconds since 1970, rounded to a whole number.
    case millisecondsSince1970
    /// The text that the closure returns. The closure runs on the thread that encodes.
    case custom(@Sendable (Date) throws -> String)

    fileprivate func encode(_ date: Date, to encoder: any Encoder) throws {
      let seconds = date.timeIntervalSince1970
      var value = encoder.singleValueContainer()
      switch self {
      case .secondsSince1970: try value.encode(seconds)
      case .millisecondsSince1970: try value.encode((seconds * 1000).rounded())
      case .custom(let text): try value.encode(text(date))
      case .iso8601:
        // The first second of the year 1 and the one after the year 9999.
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else {
          throw BodyFailure(description: "a date is outside of the years 1...9999")
        }
        try value.encode(Date(timeIntervalSince1970: seconds.rounded(.down)).ISO8601Format())
      }
    }
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
  /// - Throws: an error if the value has no keys, a number isn't finite, or a date can't be written. It also throws one
  ///   for arrays whose content their naming can't express. Errors of the value's own `encode(to:)` are passed on.
  public func encode(_ value: some Encodable) throws -> [URLQueryItem] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { [dates] date, encoder in try dates.encode(date, to: encoder) }
    let json = JSONOutline([UInt8](try encoder.encode(value)))
    // Only that stops the reading of what Foundation has written.
    guard json.problem == nil else { throw BodyFailure(description: "the values are nested too deep") }
    var items: [URLQueryItem] = []
    switch Tree(0, of: json) {
    case .nothing: break
    case .members(let members): try append(members, to: &items) { $0 }
    case .text, .flag, .list:
      throw BodyFailure(description: "a query needs a value with keys, not a single value or an array")
    }
    return items
  }

  /// The JSON of a value. Numbers are text, so that they keep all digits.
  private enum Tree {
    case nothing
    case text(String)
    case flag(Bool)
    case list([Tree])
    case members([(key: String, value: Tree)])

    init(_ index: Int, of json: JSONOutline) {
      func text(_ index: Int) -> String { json.text(in: json.range(of: index)) }
      switch json.kind(index) {
      case .null, .end: self = .nothing
      case .true, .false: self = .flag(json.kind(index) == .true)
      case .ascii, .unicode, .escaped, .name, .oddName: self = .text(text(index))
      case .integer, .number:
        let number = text(index)
        let short = Int64(number)?.description ?? Decimal(string: number)?.description
        self = .text(short ?? Double(number).map { "\($0)" } ?? number)
      case .array: self = .list(json.children(of: index).map { Tree($0.value, of: json) })
      case .object, .oddObject:
        self = .members(json.children(of: index).map { ($0.name.map(text) ?? "", Tree($0.value, of: json)) })
      }
    }
  }

  private func append(
    _ members: [(key: String, value: Tree)], to items: inout [URLQueryItem], name: (String) -> String
  ) throws {
    for (key, member) in members.sorted(by: { $0.key < $1.key }) { try append(member, name: name(key), to: &items) }
  }

  /// Adds the items of a value and of its parts.
  ///
  /// - Parameter name: the name with those of the values around it, such as `price[from]`.
  private func append(_ tree: Tree, name: String, to items: inout [URLQueryItem]) throws {
    switch (tree, arrays) {
    case (.nothing, _), (.text, _), (.flag, _):
      items += try texts([tree], name).map { URLQueryItem(name: name, value: $0) }
    case (.members(let members), _):
      try append(members, to: &items) { nestedKeys == .dots ? "\(name).\($0)" : "\(name)[\($0)]" }
    case (.list(let elements), .repeated):
      items += try texts(elements, name).map { URLQueryItem(name: name, value: $0) }
    case (.list(let elements), .brackets):
      for element in elements { try append(element, name: "\(name)[]", to: &items) }
    case (.list(let elements), .indexed):
      for (index, element) in elements.enumerated() { try append(element, name: "\(name)[\(index)]", to: &items) }
    case (.list(let elements), .commas):
      let texts = try texts(elements, name)
      guard !texts.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else {
        throw BodyFailure(description: "an element of \(name) contains a comma and would become two")
      }
      if !texts.isEmpty { items.append(URLQueryItem(name: name, value: texts.joined(separator: ","))) }
    }
  }

  /// The elements that aren't `nil`, as text.
  private func texts(_ elements: [Tree], _ name: String) throws -> [String] {
    try elements.compactMap { element in
      switch element {
      case .nothing: nil
      case .text(let text): text
      case .flag(let flag): booleans == .literal ? "\(flag)" : flag ? "1" : "0"
      case .list, .members:
        throw BodyFailure(
          description: "\(name) has arrays or values with keys, which need indexed arrays or ones with brackets")
      }
    }
  }

  /// Says which characters of a query item's name and value are percent-encoded.
  ///
  /// Both choices encode `&`, `=`, `#`, `+`, `%`, control characters and everything outside of ASCII: an item can't
  /// become two items or another item.
  public enum Escaping: Hashable, Sendable {
    /// Percent-encodes everything but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3), which every
    /// server reads correctly. The default.
    case strict
    /// As forms have it: a space is `+`, and letters, digits, `*`, `-`, `.` and `_` stay raw
    /// (`application/x-www-form-urlencoded`, WHATWG URL, section 5.2).
    case form

    /// The items as a query, without `?`: `a=1&b=c%20d`. An item without a value has no `=`.
    public func query(of items: [URLQueryItem]) -> String { items.map(encoded).joined(separator: "&") }

    func encoded(_ item: URLQueryItem) -> String {
      let encoding: PercentEncoding = self == .form ? .form : .everythingReserved
      let name = item.name.percentEncoded(encoding)
      guard let value = item.value else { return name }
      return "\(name)=\(value.percentEncoded(encoding))"
    }
  }
}
