import Testing

@testable import FeatherDemo

@Suite struct AccountRendererTests {
  @Test(arguments: [
    (AccountEvent(kind: .signedIn, user: "ann"), "Signed in as ann."),
    (AccountEvent(kind: .signedIn, user: "a\nb"), "Signed in as a b."),
    (AccountEvent(kind: .signedOut), "Signed out."),
    (AccountEvent(kind: .sent, user: "ann", call: "/a"), "  /a is in progress, for ann."),
    (AccountEvent(kind: .succeeded, user: "ann", call: "/a", status: 200), "  /a succeeded, for ann."),
    (AccountEvent(kind: .cancelled, user: "ann", call: "/a"), "  /a was cancelled: it belonged to ann."),
    (AccountEvent(kind: .refused, call: "/a", status: 401), "  /a was refused, for nobody (401)."),
  ])
  func eachEventIsOneLine(_ event: AccountEvent, _ line: String) {
    #expect(AccountRenderer.line(for: event) == line)
  }

  @Test func jsonOfAnEventOmitsAbsentMembers() throws {
    #expect(
      try JSONText.of(AccountEvent(kind: .refused, call: "/a", status: 401))
        == #"{"call":"/a","kind":"refused","status":401}"#)
    #expect(try JSONText.of(AccountEvent(kind: .signedOut)) == #"{"kind":"signedOut"}"#)
  }
}
