@testable import WebServicesTestSupport

@Suite struct LinkTests {
  private func next(_ values: [String]) -> String? {
    let headers = HTTPHeaders(values.map { HTTPHeaders.Field(name: "link", value: $0) })
    let url = testURL("https://api.example.com/v1/items?page=1")
    return WebServiceResponse(statusCode: 200, headers: headers, url: url).link(relation: "next")?.absoluteString
  }

  @Test(
    arguments: [
      (
        [#"<http://example.com/TheBook/chapter2>; rel="next"; title="next chapter""#],
        "http://example.com/TheBook/chapter2"
      ),
      (
        [
          "</a>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, </b>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes"
        ],
        "https://api.example.com/b"
      ),
      (["</a>;rel=x,</b>;rel=y", "</c>;rel=next"], "https://api.example.com/c"),
      (["</a,b;c>;rel=next"], "https://api.example.com/a,b;c"),
      (["  </a>  ;  rel  =  next  "], "https://api.example.com/a"),
      ([#"</a>; title="x, y; <z>\" \\"; REL=Next"#], "https://api.example.com/a"),
      (["</a>;;crossorigin;=x;rel=next;"], "https://api.example.com/a"),
      (["</a>; t=\"é\u{301}\"; u=\"\u{301}\"; rel=next"], "https://api.example.com/a"),
      (["</a>; rel=\"start  NEXT last\""], "https://api.example.com/a"),
      (["nonsense, <b>; rel=next"], "https://api.example.com/v1/b"),
      (["<a> nonsense \",<x>\" , <b>; rel=next"], "https://api.example.com/v1/b"),
      (["<a> nonsense \",<x>; rel=next;\", <b>; rel=next"], "https://api.example.com/v1/b"),
      (["<?page=2>; rel=\"first next\""], "https://api.example.com/v1/items?page=2"),
      (["<//o.example/x>; rel=next"], "https://o.example/x"),
      (["<a>; rel=prev, <b>; rel=next, <c>; rel=next"], "https://api.example.com/v1/b"),
      (["<a>; rel=next; anchor=\"#x\", <b>; rel=next"], "https://api.example.com/v1/b"),
      (["<a>; title=\"x\" ; rel=\"prev\tnext\""], "https://api.example.com/v1/a"),
      (["<a>; title=My page; rel=next, <b>; rel=next"], "https://api.example.com/v1/a"),
      (["<a>; rel=next; anchor=\"\", <b>; rel=next"], "https://api.example.com/v1/a"),
      // Only the first `rel` counts.
      (["<a>; rel=prev; rel=next"], nil), (["<a>; rel; rel=next"], nil),
      (["<ftp://example.com/>; rel=next", "<a>; rel=next"], nil), (["<javascript:x>; rel=next"], nil),
      (["<a>; rel=last"], nil), (["<a>; title=\"open, <b>; rel=next"], nil),
      ([""], nil), (["a; rel=next"], nil), (["<a; rel=next"], nil), ([], nil),
    ] as [([String], String?)])
  func firstLinkOfTheRelationIsResolved(values: [String], expected: String?) { expectEqual(next(values), expected) }

  @Test func randomTextNeverTraps() {
    for text in randomTexts(3000, seed: 41, of: "<>;,=\"\\ \tarelnext\u{301}é".map(String.init)) { _ = next([text]) }
  }
}
