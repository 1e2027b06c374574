import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

/// Bodies with a secret, and bodies that can't be searched. Both kinds must not be sent to another origin.
@Suite struct BodySearchTests {
  private let redaction = Redaction(fieldNames: ["ssn"])

  private func search(_ type: String?, _ body: TransportBody, coding: String? = nil) throws -> BodySearch {
    var request = TransportRequest(method: .post, url: try #require(URL(string: "https://h/p")), body: body)
    request.headers["Content-Type"] = type
    request.headers["Content-Encoding"] = coding
    return BodySearch(request, redaction: redaction)
  }

  private func search(_ type: String?, _ text: String) throws -> BodySearch {
    try search(type, .data(Data(text.utf8)))
  }

  static let part = "--b\r\nContent-Disposition: form-data; "

  @Test(
    arguments: [
      // JSON
      ("application/json", #"{"a":1,"password":"MARK"}"#), ("application/json", #"{"p\u0061ssword":"MARK"}"#),
      ("application/json", #"{"Pass-Word":"MARK"}"#), ("application/json", #"{"SSN":["x",{"y":"MARK"}]}"#),
      ("application/json", #"{"password":"MARK","password":null}"#),
      ("application/json", #"{"password":null,"password":"MARK"}"#),
      ("application/json", #"[[{"user.token":"MARK"}]]"#),
      ("application/json", #"{"a":"{\"password\":\"MARK\"}"}"#), ("application/vnd.api+json", #"{"token":"MARK"}"#),
      ("application/json", "\u{FEFF}{\"token\":\"MARK\"}"),
      ("application/json", #"{"token":{"n":"MARK","m":[]},"b":1}"#),
      ("text/plain", #"{"token":"MARK"}"#), ("application/octet-stream", #"{"token":"MARK"}"#),
      (nil, #" {"token":"MARK"}"#),
      // JSON lines
      ("application/x-ndjson", "{\"a\":1}\n{\"token\":\"MARK\"}\n"),
      ("application/jsonl", "{\"a\":1}\r\n{\"pin\":\"MARK\"}"),
      ("application/json-seq", "\u{1E}{\"a\":1}\n\u{1E}{\"token\":\"MARK\"}\n"),
      (nil, "{\"a\":1}\n{\"token\":\"MARK\"}"),
      ("application/json", "{\"a\":1}\n{\"token\":\"MARK\"}"),
      // Forms
      ("application/x-www-form-urlencoded", "a=1&password=MARK\r\n"),
      ("application/x-www-form-urlencoded", "a=\u{E4}&password=MARK"),
      ("application/x-www-form-urlencoded; charset=iso-8859-1", "password=MARK&b=2"),
      ("application/x-www-form-urlencoded", "p%61ssword=MARK"),
      ("application/x-www-form-urlencoded", "pass+word=1&token=MARK"),
      ("application/x-www-form-urlencoded", "user%5Bpassword%5D=MARK"),
      ("application/x-www-form-urlencoded", "a=1;token=MARK"),
      ("application/x-www-form-urlencoded", "a=1&\r\ntoken=MARK"),
      ("application/x-www-form-urlencoded", "payload=%7B%22token%22%3A%22MARK%22%7D"), (nil, "a=1&token=MARK\r\n"),
      (nil, "a=\u{E4}&token=MARK"), ("text/plain", "token=MARK"),
      // Multipart
      ("multipart/form-data; boundary=b", "\(part)name=\"password\"\r\n\r\nMARK\r\n--b--\r\n"),
      ("multipart/form-data; boundary=\"b\"", "\(part)name=token\r\nContent-Type: text/plain\r\n\r\nMARK\r\n--b--"),
      ("multipart/form-data; boundary=b", "\(part)NAME=\"to%6Ben\"\r\n\r\nMARK\r\n--b--"),
      ("multipart/form-data; boundary=b", "\(part)name*=utf-8''to%6ben\r\n\r\nMARK\r\n--b--"),
      ("multipart/form-data; boundary=b", "\(part)\r\n name=\"token\"\r\n\r\nMARK\r\n--b--"),
      ("multipart/form-data; boundary=b", "\(part)name=a\r\n\r\n{\"token\":\"MARK\"}\r\n--b--"),
      (
        "multipart/form-data; boundary=b",
        "\(part)name=a\r\nContent-Type: application/xml\r\n\r\n<pin>MARK</pin>\r\n--b--"
      ),
      ("multipart/form-data; boundary=b", "\(part)name=a\nX-Api-Key: MARK\n\nx\n--b--"),
      (
        "multipart/mixed; boundary=b",
        "preamble\r\n--b\r\nContent-Type: multipart/form-data; boundary=c\r\n\r\n"
          + "--c\r\nContent-Disposition: form-data; name=pin\r\n\r\nMARK\r\n--c--\r\n--b--"
      ),
      (nil, "\(part)name=\"password\"\r\n\r\nMARK\r\n--b--\r\n"),
      // XML
      ("application/xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a><password>MARK</password></a>\n"),
      ("application/soap+xml", "<s:a xmlns:s='u'><s:Pass-Word s:type='x'>MARK</s:Pass-Word></s:a>"),
      ("text/xml", "<a><token><![CDATA[MARK]]></token></a>"), ("text/xml", "<a token='MARK'/>"),
      ("text/xml", "<a><b x:Token = \"&#77;&#x41;RK\" /></a>"),
      ("text/xml", "<a token='&#x0000000000004D;A&#0000000000000082;K'/>"),
      ("text/xml", "<token>&#x000000004D;&#0000000065;RK</token>"),
      ("text/xml", "<token><a>1</a><b>MA<!-- x -->RK</b></token>"),
      ("text/xml", "<!DOCTYPE a SYSTEM 'x'><a><![CDATA[{\"token\":\"MARK\"}]]></a>"), (nil, "<a><pin>MARK</pin></a>"),
      ("text/xml", "<a><pin value='MARK'/></a>"),
    ] as [(String?, String)])
  func secretIsFoundInEachKindOfBody(type: String?, template: String) throws {
    let text = template.replacingOccurrences(of: "MARK", with: "Zq7\u{E9}Xw9")
    let found = try search(
      type,
      type?.contains("8859") == true ? .data(Data(text.unicodeScalars.map { UInt8($0.value) })) : .data(Data(text.utf8))
    )
    #expect(found.holdsSecret)
    #expect(found.isComplete)
    if !template.contains("MARK") { return #expect(found.values.contains("MARK")) }
    #expect(found.values.contains { $0.contains("Zq7\u{E9}Xw9") }, "\(found.values)")
  }

  @Test(
    arguments: [
      ("application/json", #"{"passwordHint":"token","n":[1,-2.5e3,null,true,{}],"a":"{not JSON"}"#),
      ("application/json", " "),
      ("application/json", #"{"password":null}"#), ("application/x-ndjson", "{\"a\":1}\n\n[2]\n3\n"),
      ("application/x-www-form-urlencoded", "a=token&b\r\n"), ("application/x-www-form-urlencoded", "a=%FF&=&&;"),
      ("multipart/form-data; boundary=b", "\(part)name=a\r\n\r\na token --b\r\n--bc\r\n--b--\r\npassword=x"),
      ("multipart/form-data; boundary=b", "--b--"),
      ("multipart/form-data; boundary=b", "\(part)name=a\r\nContent-Type: image/png\r\n\r\n\u{0}{\r\n--b--"),
      ("application/xml", "<a><b c='d'>token</b><e/><!-- <pin>1</pin> --><?pin x?></a>"), ("text/xml", "<token/>"),
      // The members of these kinds have no names.
      ("application/octet-stream", "{\"a\":"), ("image/svg+xml", "<svg"), ("text/plain", "{ is a brace"),
      ("text/html", "<p>a<br>"),
      ("application/zip", "PK\u{0}\u{0}"), (nil, "\u{1F}\u{8B}\u{8}\u{0}"), (nil, "a plain text"), (nil, ""),
      ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "PK"),
    ] as [(String?, String)])
  func harmlessBodyIsSearchedCompletely(type: String?, text: String) throws {
    let found = try search(type, text)
    #expect(!found.holdsSecret, "\(found.values)")
    #expect(found.isComplete)
  }

  @Test(
    arguments: [
      ("application/json", #"{"a":1"#), ("application/json", "a=1"), ("application/json", #"{"a":1}}"#),
      (nil, #"{"a" 1}"#),
      ("application/json; charset=utf-7", "{}"), ("application/x-ndjson", "{\"a\":1}\n{"),
      ("application/json", "{'a':1}"),
      ("application/x-www-form-urlencoded; charset=x-own", "a=1"), ("multipart/form-data", "x"),
      ("multipart/form-data; boundary=b", "\(part)name=a\r\n\r\nx\r\n"),
      ("multipart/form-data; boundary=c", "\(part)\r\n\r\n--b--"),
      (
        "multipart/form-data; boundary=b",
        "\(part)name=a\r\nContent-Type: application/json\r\nContent-Transfer-Encoding: base64\r\n\r\ne30=\r\n--b--"
      ),
      ("application/xml", "<a><b></a>"), ("application/xml", "<a"), ("application/xml", "x"),
      ("application/xml", "<a b=c/>"),
      ("application/xml", "<!DOCTYPE a [<!ENTITY b '<pin>1</pin>'>]><a>&b;</a>"), (nil, "<a>"),
      ("application/xml", "<?xml version='1.0' encoding='ebcdic-cp-us'?><a/>"), ("application/xml", "<a/><!-- "),
    ] as [(String?, String)])
  func malformedBodyIsNotSearchedCompletely(type: String?, text: String) throws {
    #expect(try !search(type, text).isComplete)
  }

  @Test func charsetsAreRecognized() throws {
    let json = try #require(#"{"token":"MARK"}"#.data(using: .utf16LittleEndian))
    for (type, prefix) in [("application/json", Data([0xFF, 0xFE])), ("application/json; charset=utf-16le", Data())] {
      #expect(try search(type, .data(prefix + json)).values == ["MARK"])
    }
    #expect(try !search("application/json", .data(json)).isComplete)
    let xml = try #require("<a>x</a>".data(using: .utf16LittleEndian))
    #expect(try !search("application/xml", .data(xml)).isComplete)
    let latin1 = try #require("{\"token\":\"\u{E4}\u{F6}\"}".data(using: .isoLatin1))
    #expect(try search("application/json; charset=latin1", .data(latin1)).values == ["\u{E4}\u{F6}"])
    #expect(try !search("application/json", .data(latin1)).isComplete)
  }

  @Test func fileOrStreamOfAStructuredTypeIsNotSearched() throws {
    let file = TransportBody.file(URL(fileURLWithPath: "/a.json"))
    let stream = TransportBody.stream(PieceStream(["{}"]))
    for type in ["application/json", "application/x-ndjson", "text/xml", "multipart/mixed; boundary=b"] {
      #expect(try !search(type, file).isComplete)
      #expect(try !search(type, stream).isComplete)
      #expect(try !search(type, .data(Data([0x1F, 0x8B])), coding: "gzip").isComplete)
    }
    for type in ["application/octet-stream", "image/png", "application/vnd.oci.image.layer.v1.tar+gzip", nil] {
      #expect(try search(type, file).isComplete)
      #expect(try search(type, stream).isComplete)
      #expect(try search(type, .data(Data([0x1F, 0x8B])), coding: "gzip").isComplete)
    }
    #expect(try search("application/json", .data(Data("{}".utf8)), coding: "identity").isComplete)
  }

  @Test func compressedAndJoinedBodiesAreSearched() throws {
    let encoders = RequestBody.Encoders(json: JSONEncoder(), query: QueryEncoder())
    func search(_ body: RequestBody) throws -> BodySearch {
      let content = try body.content(encoders)
      return try self.search(body.contentType, content.body, coding: content.encoding)
    }
    if RequestBody.canCompress {
      #expect(try search(RequestBody.json(["token": "MARK"]).compressed()).values == ["MARK"])
      #expect(try search(RequestBody.json(["a": "b"]).compressed()).isComplete)
      #expect(
        try !search(RequestBody.stream(PieceStream(["{}"]), contentType: "application/json").compressed()).isComplete)
    }
    func multipart(_ part: MultipartBody.Part) -> RequestBody { .multipart(MultipartBody([.field("a", "b"), part])) }
    #expect(try search(multipart(.field("token", "MARK"))).values == ["MARK"])
    #expect(
      try search(multipart(.data("a", Data("{\"pin\":\"MARK\"}".utf8), contentType: "text/json"))).values == ["MARK"])
    #expect(try search(multipart(.data("a", Data([0]), headers: ["X-Api-Key": "MARK"]))).values == ["MARK"])
    #expect(try search(multipart(.stream("token", PieceStream(["x"])))).holdsSecret)
    #expect(try !search(multipart(.stream("a", PieceStream(["x"]), contentType: "text/xml"))).isComplete)
    let picture = try search(multipart(.stream("a", PieceStream(["x"]), contentType: "image/png")))
    #expect(picture.isComplete && !picture.holdsSecret)
  }

  @Test func searchIsLimitedInSize() throws {
    let filler = String(repeating: #"{"name":"abc"},"#, count: 40_000)
    #expect(try search("application/json", "[\(filler){\"token\":\"MARK\"}]").values == ["MARK"])
    #expect(try search("application/json", "[\(filler)1]").isComplete)
    let beyond = Data(repeating: UInt8(ascii: "1"), count: BodySearch.limit + 1)
    #expect(try !search("application/json", .data(beyond)).isComplete)
    #expect(try search("application/octet-stream", .data(beyond)).isComplete)
  }

  @Test func randomAndCutBodiesAreSafe() throws {
    var generator = SeededGenerator(seed: 11)
    let alphabet = Array("{}[]<>/!-?=&;%\"\\u0061 :,'\r\n--b token1.e".utf8) + [0xFF, 0x00, 0xC3]
    let types = [
      "application/json", "application/x-www-form-urlencoded", "multipart/mixed; boundary=b", "text/xml", nil,
    ]
    for round in 0..<3_000 {
      let bytes = (0..<60).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
      _ = try search(types[round % types.count], .data(Data(bytes)))
    }
    for (type, text) in [
      ("application/json", #"{"a":[1,{"b":"\u0061"}],"c":"{\"d\":1}"}"#),
      ("text/xml", "<a b='c'><d>e</d><![CDATA[f]]></a>"),
      ("multipart/mixed; boundary=b", "\(Self.part)name=a\r\n\r\n1\r\n--b--"),
    ] {
      for count in 1..<text.utf8.count {
        #expect(try !search(type, .data(Data(text.utf8.prefix(count)))).isComplete, "\(type), cut at \(count)")
      }
    }
  }
}
