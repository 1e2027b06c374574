/// A request method (RFC 9110, section 9).
///
/// The common ones are constants; any other token can be written as `HTTPMethod(rawValue: "PURGE")`. Methods are
/// case-sensitive. A request whose method isn't a token fails before anything is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The method in the form of the request line.
  public let rawValue: String

  /// Creates a method from any token.
  ///
  /// - Parameter rawValue: the method as it is sent, such as `PURGE`. Case counts. A request whose method isn't a token
  ///   fails before it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `GET`
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD`
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `POST`
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT`
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `PATCH`
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `DELETE`
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// `OPTIONS`
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// Whether the method only reads (RFC 9110, section 9.2.1).
  public var isSafe: Bool { rawValue == "GET" || rawValue == "HEAD" || rawValue == "OPTIONS" || rawValue == "TRACE" }

  /// Whether sending the request twice means the same as sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }

  /// Whether the method is a token, as the request line demands (RFC 9110, section 5.6.2).
  package var isValid: Bool { rawValue.utf8.isHTTPToken }

  /// The method in the form of the request line.
  public var description: String { rawValue }
}
