@testable import WebServicesTestSupport

/// Compiles code that must be rejected, and checks the compiler's errors.
@Suite struct WrongPairTests {
  private static let program = """
    import WebServices

    enum KongAuth: BackendAuth { static let authorization = WebServiceAuthorizationType.bearer }
    enum ClinicalAuth: BackendAuth { static let authorization = WebServiceAuthorizationType.apiToken }
    struct Cities: Decodable, Sendable { var names: [String] }

    let open = BackendResource<Void, Cities, NoAuth>(path: .api(Backend("core"), "/open"), method: .get)
    let kong = BackendResource<Void, Cities, KongAuth>(path: .api(Backend("core"), "/kong"), method: .get)
    let clinical = BackendResource<Cities?, Cities, ClinicalAuth>(
      path: .api(Backend("core"), "/clinical"), method: .post,
      content: .body { _ in nil }, parser: .json())


    """

  private static let pairs: [(accessor: String, call: String, given: String, expected: String)] = [
    ("any Accessible", "access(kong)", "KongAuth", "NoAuth"),
    ("ResourceAccessor", "access(kong)", "KongAuth", "NoAuth"),
    ("any Accessible", "access(clinical, with: nil)", "ClinicalAuth", "NoAuth"),
    ("AuthenticatedAccessor<KongAuth>", "access(open)", "NoAuth", "KongAuth"),
    ("some AuthenticatedAccessible<KongAuth>", "access(clinical, with: nil)", "ClinicalAuth", "KongAuth"),
  ]

  @Test(.disabled(if: Compiler.isMissing)) func wrongPairsFailToCompile() async throws {
    let calls = Self.pairs.enumerated().map { index, pair in
      "func access\(index)(accessor: \(pair.accessor)) async throws { _ = try await accessor.\(pair.call) }"
    }
    let errors = try await Compiler.diagnostics(of: Self.program + calls.joined(separator: "\n"))
    expectEqual(errors.count, Self.pairs.count)
    for (error, pair) in zip(errors, Self.pairs) {
      for part in [
        "cannot convert value of type", ", \(pair.given)>'", "expected argument type", ", \(pair.expected)>'",
      ] {
        #expect(error.contains(part))
      }
    }
  }
}
