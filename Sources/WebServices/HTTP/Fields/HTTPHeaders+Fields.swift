public import Foundation

/// The fields whose values aren't text. A field that is missing or malformed is `nil`; setting `nil` removes the field.
extension HTTPHeaders {
  /// `Range`: the requested part of the content.
  public var range: HTTPHeaders.ByteRange? {
    get { self["Range"].flatMap(HTTPHeaders.ByteRange.init) }
    set { self["Range"] = newValue?.description }
  }

  /// `Content-Type`
  public var contentType: MediaType? {
    get { self["Content-Type"].flatMap { MediaType($0) } }
    set { self["Content-Type"] = newValue?.description }
  }

  /// `Content-Length` in bytes; also `nil` if repeated fields have different values. A transport ignores the field of a
  /// request, and counts the bytes.
  public var contentLength: Int64? {
    get { values(for: "Content-Length").joined(separator: ",").announcedLength }
    set { self["Content-Length"] = newValue.map { "\($0)" } }
  }

  /// Whether the content is coded, so that no name or secret can be found in it.
  package var isCompressed: Bool {
    !values(for: "Content-Encoding").allSatisfy { $0.equalsIgnoringASCIICase("identity") }
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

  /// The `Location` of a response with this status, if it leads to another request.
  package func redirectLocation(status: Int) -> String? {
    [301, 302, 303, 307, 308].contains(status) ? self["Location"] : nil
  }

  private func moment(_ name: String) -> Date? { self[name].flatMap { HTTPDate.date(from: $0) } }
}
