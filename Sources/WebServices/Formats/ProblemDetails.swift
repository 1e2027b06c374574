/// The details of a problem that a server sends as `application/problem+json` (RFC 9457).
///
/// Members of the wrong type are ignored, as the RFC asks. The text of a server may be of use to people, but
/// isn't checked: show it only if you trust the server.
public struct ProblemDetails: DescribedByLibrary, DescriptionOnly, OwnRedaction, Decodable, Hashable {
  /// The media type of problem details in JSON.
  package static let mediaType = HTTPHeaders.MediaType(type: "application", subtype: "problem+json")

  /// A URI reference that names the kind of problem; `about:blank` if only the status code has a meaning.
  public var type: String
  /// A short summary of the kind of problem.
  public var title: String?
  /// The status code as the origin server meant it, one of 100...599.
  public var status: Int?
  /// An explanation of this occurrence.
  public var detail: String?
  /// A URI reference that names this occurrence.
  public var instance: String?
  /// All other members. A member that is nested deeper than `JSONValue.maximumDepth` is left out.
  public var extensions: [String: JSONValue]
  /// Hides secrets in the description.
  package var redaction = DescriptionRedaction()

  /// Creates problem details. Each parameter sets the property of the same name.
  public init(
    type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
    instance: String? = nil, extensions: [String: JSONValue] = [:]
  ) {
    self.type = type
    self.title = title
    self.status = status
    self.detail = detail
    self.instance = instance
    self.extensions = extensions
  }

  /// Reads a response with the content type `application/problem+json`; `nil` for any other type, and if the body is no
  /// JSON object.
  public init?(response: WebServiceResponse) {
    guard response.headers.contentType?.essence == Self.mediaType.essence,
      let problem = try? FeatherJSONDecoder().decode(ProblemDetails.self, from: response.body)
    else { return nil }
    self = problem
  }

  /// An extension member.
  public subscript(name: String) -> JSONValue? { extensions[name] }

  /// Decodes an object; anything else fails.
  ///
  /// - Throws: a `DecodingError` for anything but an object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    var members: [String: JSONValue] = [:]
    for key in container.allKeys { members[key.stringValue] = try? container.decode(JSONValue.self, forKey: key) }
    // A member of the wrong type counts as missing (RFC 9457, section 3.1).
    func string(_ name: String) -> String? { members.removeValue(forKey: name)?.string }
    let status = members.removeValue(forKey: "status")?.integer.flatMap { Int(exactly: $0) }
    self.init(
      // A missing type means `about:blank` (RFC 9457, section 3.1.1).
      type: string("type") ?? "about:blank", title: string("title"),
      status: status.flatMap { (100...599).contains($0) ? $0 : nil }, detail: string("detail"),
      instance: string("instance"), extensions: members)
  }

  /// The detail, or the title if there is no detail.
  public var errorDescription: String? { detail ?? title }

  /// The title, if there is a detail too.
  public var failureReason: String? { detail == nil ? nil : title }

  /// One line for developers: the standard members without secrets, and only the names of the other members.
  public var description: String { description(redaction: redaction.value) }

  /// The standard members in one line, without the values that the redaction hides.
  public func description(redaction: Redaction) -> String {
    let names = extensions.keys.sorted().joined(separator: ", ")
    let parts = [
      status.map { "status \($0)" }, title.map(redaction.text), detail.map(redaction.text),
      type == "about:blank" ? nil : "type \(redaction.url(type))", instance.map { "instance \(redaction.url($0))" },
      names.isEmpty ? nil : "with \(redaction.text(names))",
    ].compactMap { $0 }
    return "problem: " + (parts.isEmpty ? "no details" : parts.joined(separator: ", "))
  }
}

extension ResponseValidator {
  /// Reads problem details (RFC 9457): a response of the type `application/problem+json` with a status of 400...599
  /// fails with the ``ProblemDetails`` underneath.
  public static let problemDetails = ResponseValidator { response in
    guard (400...599).contains(response.statusCode), let problem = ProblemDetails(response: response) else { return }
    throw problem
  }
}
