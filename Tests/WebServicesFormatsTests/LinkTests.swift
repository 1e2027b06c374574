import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices

@Suite struct LinkTests {
  private func links(_ values: String...) -> [HTTPHeaders.Link] {
    HTTPHeaders(values.map { HTTPHeaders.Field(name: "link", value: $0) }).links
  }

  private func link(_ target: String, _ parameters: (String, String?)...) -> HTTPHeaders.Link {
    HTTPHeaders.Link(target: target, parameters: parameters.map { .init(name: $0.0, value: $0.1) })
  }

  @Test func rfc8288ExamplesAreParsed() {
    #expect(
      links(#"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#)
        == [link("http://example.com/TheBook/chapter2", ("rel", "previous"), ("title", "previous chapter"))])
    #expect(links(#"</>; rel="http://example.net/foo""#) == [link("/", ("rel", "http://example.net/foo"))])
    let terms = link("/terms", ("rel", "copyright"), ("anchor", "#foo"))
    #expect(
      links(##"</terms>; rel="copyright"; anchor="#foo""##) == [terms])
    #expect(
      links(
        "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
          + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel")
        == [
          link("/TheBook/chapter2", ("rel", "previous"), ("title*", "UTF-8'de'letztes%20Kapitel")),
          link("/TheBook/chapter4", ("rel", "next"), ("title*", "UTF-8'de'n%c3%a4chstes%20Kapitel")),
        ])
    let both = links(#"<http://example.org/>; rel="start http://example.net/relation/other""#)
    #expect(both.first?.relations == ["start", "http://example.net/relation/other"])
    #expect(
      links(
        #"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#
      ).map(\.target) == ["https://example.org/", "https://example.org/index"])
  }

  @Test func linksOfSeveralFieldsKeepTheirOrder() {
    #expect(links("<a>;rel=x,<b>;rel=y", "<c>").map(\.target) == ["a", "b", "c"])
  }

  @Test(
    arguments: [
      ("<a,b;c>;rel=next", "a,b;c", [("rel", "next")]), ("  <a>  ;  rel  =  next  ", "a", [("rel", "next")]),
      (#"<a>; title="x, y; <z>\" \\"; REL=Next"#, "a", [("title", "x, y; <z>\" \\"), ("rel", "Next")]),
      ("<a>; crossorigin; rel=\"\"", "a", [("crossorigin", nil), ("rel", "")]), ("<a>;;rel=b;", "a", [("rel", "b")]),
      ("<>", "", []), ("<a>;=x;rel=b", "a", [("rel", "b")]),
      (
        "<a>; title=\"open, <b>; rel=c", "a",
        [
          ("title", "open, <b>; rel=c")
        ]
      ), (", ,<a>", "a", []), ("<a>; t=\"é\u{301}\"", "a", [("t", "é\u{301}")]),
      (
        "<a>;t=\"\u{301}\"", "a",
        [
          ("t", "\u{301}")
        ]
      ),
    ] as [(String, String, [(String, String?)])])
  func anyValidShapeIsParsed(value: String, target: String, parameters: [(String, String?)]) {
    let expected = HTTPHeaders.Link(target: target, parameters: parameters.map { .init(name: $0.0, value: $0.1) })
    #expect(links(value) == [expected])
  }

  @Test func malformedLinkIsSkipped() {
    #expect(links("") == [])
    #expect(links("a; rel=next") == [])
    #expect(links("<a; rel=next") == [])
    #expect(links("nonsense, <b>; rel=next").map(\.target) == ["b"])
    #expect(links("<a> nonsense \",<x>\" , <b>; rel=next").map(\.target) == ["a", "b"])
  }

  @Test func onlyFirstRelParameterIsUsedWithoutCase() throws {
    let link = try #require(links(#"<a>; rel="NEXT  last"; rel=prev"#).first)
    #expect(link.has(relation: "next") && link.has(relation: "Last") && !link.has(relation: "prev"))
    #expect(link["REL"] == "NEXT  last")
  }

  @Test(
    arguments: [
      ("</items?page=2>; rel=next", "https://api.example.com/items?page=2"),
      ("<?page=2>; rel=\"first next\"", "https://api.example.com/v1/items?page=2"),
      ("<b>; rel=next", "https://api.example.com/v1/b"), ("<//o.example/x>; rel=next", "https://o.example/x"),
      ("<a>; rel=prev, <b>; rel=next, <c>; rel=next", "https://api.example.com/v1/b"),
      ("<a>; rel=next; anchor=\"#x\", <b>; rel=next", "https://api.example.com/v1/b"),
      ("<ftp://example.com/>; rel=next", nil), ("<a>; rel=last", nil), ("<javascript:x>; rel=next", nil),
    ] as [(String, String?)])
  func targetIsResolvedAgainstTheResponse(value: String, expected: String?) throws {
    let url = try #require(URL(string: "https://api.example.com/v1/items?page=1"))
    let response = WebServiceResponse(statusCode: 200, headers: ["Link": value], url: url)
    #expect(response.link(relation: "next")?.absoluteString == expected)
  }

  @Test func randomTextNeverTraps() {
    var generator = SeededGenerator(seed: 41)
    let alphabet = Array("<>;,=\"\\ \tarel\u{301}é")
    for _ in 0..<3000 {
      let count = Int.random(in: 0...40, using: &generator)
      let text = String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
      #expect(links(text).count <= text.utf8.count)
    }
  }
}
