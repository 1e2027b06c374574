public import Foundation

extension HTTPHeaders {
  /// A link of a `Link` header field (RFC 8288): its target and its parameters.
  public struct Link: Hashable, Sendable {
    /// One parameter of a link.
    public struct Parameter: Hashable, Sendable {
      /// The name in lower case.
      public let name: String
      /// The value without its quotes; `nil` for a parameter without a value.
      public let value: String?

      /// Creates a parameter. Each parameter sets the property of the same name.
      public init(name: String, value: String?) {
        self.name = name
        self.value = value
      }
    }

    /// The URI reference, unchanged. It may be relative.
    public let target: String
    /// The relation types of the first `rel`, as they were written; compare them without case.
    public let relations: [String]
    /// All parameters in their order, `rel` too.
    public let parameters: [Parameter]

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - target: the URI reference, which may be relative.
    ///   - parameters: all parameters. The first one with the name `rel`, in lower case, sets ``relations``.
    public init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let rel = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = rel.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    }

    /// The value of the first parameter of the name, compared without case.
    public subscript(name: String) -> String? {
      parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Whether the link has the relation type, compared without case.
    public func has(relation: String) -> Bool {
      relations.contains { $0.equalsIgnoringASCIICase(relation) }
    }

    /// The target as an absolute `http` or `https` URL without its fragment; `nil` for any other target.
    ///
    /// - Parameter base: the URL of the response that had the link.
    public func url(relativeTo base: URL) -> URL? {
      (try? URLForm.foundation(base).parsed?.resolving(target))?.url
    }
  }
}

extension HTTPHeaders {
  /// The links of all `Link` fields, in order.
  public var links: [Link] {
    values(for: "Link").flatMap { value in
      var cursor = FieldCursor(value)
      return cursor.links()
    }
  }
}

extension FieldCursor {
  /// Reads links by the algorithm of RFC 8288, appendix B. A malformed part ends its link, and the next link begins
  /// after the next comma.
  fileprivate mutating func links() -> [HTTPHeaders.Link] {
    var links: [HTTPHeaders.Link] = []
    while next != nil {
      skipSpace()
      if skip("<") {
        let target = text(until: ">")
        if skip(">") { links.append(HTTPHeaders.Link(target: target, parameters: linkParameters())) }
      }
      skip(after: ",")
    }
    return links
  }

  /// Reads the parameters of a link, up to a comma, the end or a malformed part.
  private mutating func linkParameters() -> [HTTPHeaders.Link.Parameter] {
    var parameters: [HTTPHeaders.Link.Parameter] = []
    while true {
      skipSpace()
      guard skip(";") else { return parameters }
      skipSpace()
      let name = text(until: " \t=;,").lowercased()
      skipSpace()
      var value: String?
      if skip("=") {
        skipSpace()
        value = quotedString() ?? text(until: " \t;,")
      }
      if !name.isEmpty { parameters.append(HTTPHeaders.Link.Parameter(name: name, value: value)) }
    }
  }
}

extension WebServiceResponse {
  /// The target of the first link with this relation type, such as `next`. `nil` without such a link, or if its target
  /// isn't an `http` or `https` URL. Links of another context (`anchor`) are ignored.
  public func link(relation: String) -> URL? {
    headers.links.first { $0.has(relation: relation) && $0["anchor"] == nil }?.url(relativeTo: url)
  }
}
