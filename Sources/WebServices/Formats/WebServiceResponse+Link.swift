public import Foundation

extension WebServiceResponse {
  /// The target of the first link with this relation type, such as `next`, in the `Link` fields (RFC 8288). `nil`
  /// without such a link, or if its target isn't an `http` or `https` URL. Links of another context (`anchor`) are
  /// ignored.
  ///
  /// - Parameter relation: the relation type, compared without case.
  public func link(relation: String) -> URL? {
    let targets = headers.values(for: "Link").lazy.compactMap { FieldCursor($0).target(of: relation) }
    return targets.first.flatMap(resolving)
  }

  /// The `http` or `https` URL of a reference in the response; `nil` for any other.
  func resolving(_ reference: String) -> URL? { (try? urlForm.parsed?.resolving(reference))?.url }
}

extension FieldCursor {
  /// Reads links by the algorithm of RFC 8288, appendix B, up to one with the relation type. A malformed part ends its
  /// link, and the next link begins after the next comma.
  fileprivate consuming func target(of relation: String) -> String? {
    while next != nil {
      skipSpace()
      if skip("<") {
        let target = text(until: ">")
        if skip(">"), parametersName(relation) { return target }
      }
      skip(after: ",")
    }
    return nil
  }

  /// Reads the parameters of a link, up to a comma, the end or a malformed part.
  ///
  /// - Returns: whether the first `rel` has the relation type, and the link is one of the response itself.
  private mutating func parametersName(_ relation: String) -> Bool {
    var parameters: [String: String] = [:]
    skipSpace()
    while skip(";") {
      skipSpace()
      let name = text(until: " \t=;,").lowercased()
      let value = argument(until: ";,") ?? ""
      if parameters[name] == nil { parameters[name] = value }
      skipSpace()
    }
    let relations = parameters["rel"]?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
    // An empty reference is the response itself.
    return (parameters["anchor"] ?? "").isEmpty && relations.contains { String($0).equalsIgnoringASCIICase(relation) }
  }
}
