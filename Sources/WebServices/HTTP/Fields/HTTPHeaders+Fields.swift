public import Foundation

/// The usual fields by name and type. A field that is missing or malformed is `nil`; setting `nil` removes the field.
extension HTTPHeaders {
  // MARK: Asking

  /// `Accept`: the media types that the response may have. Repeated fields are one list.
  public var accept: String? {
    get { list("Accept") }
    set { self["Accept"] = newValue }
  }

  /// `Accept-Language`. Repeated fields are one list.
  public var acceptLanguage: String? {
    get { list("Accept-Language") }
    set { self["Accept-Language"] = newValue }
  }

  /// `User-Agent`
  public var userAgent: String? {
    get { self["User-Agent"] }
    set { self["User-Agent"] = newValue }
  }

  /// `Range`: the requested part of the content.
  public var range: HTTPByteRange? {
    get { self["Range"].flatMap(HTTPByteRange.init) }
    set { self["Range"] = newValue?.description }
  }

  // MARK: Content

  /// `Content-Type`
  public var contentType: MediaType? {
    get { self["Content-Type"].flatMap { MediaType($0) } }
    set { self["Content-Type"] = newValue?.description }
  }

  /// `Content-Length` in bytes; also `nil` if repeated fields have different values. A transport ignores the field of a
  /// request, and counts the bytes.
  public var contentLength: Int64? {
    get {
      let lengths = Set(values(for: "Content-Length").map(\.announcedLength))
      return lengths.count == 1 ? lengths.first ?? nil : nil
    }
    set { self["Content-Length"] = newValue.map { "\($0)" } }
  }

  /// The `Location` field, unchanged. It is often relative to the requested URL.
  public var location: String? {
    get { self["Location"] }
    set { self["Location"] = newValue }
  }

  // MARK: Validators and caching

  /// `ETag`, quotes and all.
  public var eTag: String? {
    get { self["ETag"] }
    set { self["ETag"] = newValue }
  }

  /// `If-Match`: entity tags with their quotes, or `*`. Repeated fields are one list.
  public var ifMatch: String? {
    get { list("If-Match") }
    set { self["If-Match"] = newValue }
  }

  /// `If-None-Match`: entity tags with their quotes, or `*`. Repeated fields are one list.
  public var ifNoneMatch: String? {
    get { list("If-None-Match") }
    set { self["If-None-Match"] = newValue }
  }

  /// `Last-Modified`, to the second.
  public var lastModified: Date? {
    get { moment("Last-Modified") }
    set { self["Last-Modified"] = newValue.map(HTTPDate.string) }
  }

  /// `If-Modified-Since`, to the second.
  public var ifModifiedSince: Date? {
    get { moment("If-Modified-Since") }
    set { self["If-Modified-Since"] = newValue.map(HTTPDate.string) }
  }

  /// `Date`, to the second.
  public var date: Date? {
    get { moment("Date") }
    set { self["Date"] = newValue.map(HTTPDate.string) }
  }

  /// `Cache-Control`. Repeated fields are one list.
  public var cacheControl: String? {
    get { list("Cache-Control") }
    set { self["Cache-Control"] = newValue }
  }

  /// The values of all lines of a field, joined by commas. Both forms mean the same (RFC 9110, section 5.3).
  private func list(_ name: String) -> String? {
    let values = values(for: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private func moment(_ name: String) -> Date? { self[name].flatMap { HTTPDate.date(from: $0) } }
}
