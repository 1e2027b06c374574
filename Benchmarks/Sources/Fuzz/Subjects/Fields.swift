import Foundation
import WebServices

extension Subject {
  /// The parsers of header values.
  static let fields: [Subject] = [
    Subject("Link", samples: linkSamples, words: ["<", ">", "; rel=", "title*=UTF-8''", ", <", "\\\""]) {
      input in
      let headers = HTTPHeaders([HTTPHeaders.Field(name: "Link", value: input.text)])
      let response = WebServiceResponse(statusCode: 200, headers: headers, url: base)
      _ = response.link(relation: "next")
    },
    Subject("MediaType", samples: mediaTypeSamples, words: ["charset=", ";", "\"", "*/*", "+json"]) { input in
      guard let type = HTTPHeaders.MediaType(input.text) else { return }
      try Finding.check(
        HTTPHeaders.MediaType(type.description) == type,
        "\(type.description.debugDescription) is another type than it says")
    },
    Subject("HTTPDate", samples: dateSamples, words: ["GMT", "Feb", "Sunday, ", " 29 ", "60", "24:00:00"]) { input in
      // A leap second may be later than the last year that can be written.
      if let date = HTTPDate.date(from: input.text, now: Date(timeIntervalSince1970: 1.7e9)),
        date.timeIntervalSince1970 < 253_402_300_800
      {
        let text = HTTPDate.string(from: date)
        try Finding.check(HTTPDate.date(from: text) == date, "\(text) isn't \(date.timeIntervalSince1970)")
      }
      _ = HTTPDate.string(from: Date(timeIntervalSince1970: Double(bitPattern: input.chance.next())))
    },
    Subject("CacheControl", samples: cacheSamples, words: ["max-age=", "no-cache=\"", "s-maxage", "private", ",,"]) {
      input in
      let control = CacheControl(input.text)
      _ = control.contains("no-store")
      _ = (control.time("max-age"), CacheControl.seconds(input.text), control.argument(of: "private"))
    },
    Subject("RetryAfter", samples: dateSamples + ["120", "0", " 5 "], words: ["GMT", "-"]) { input in
      let now = Date(timeIntervalSince1970: Double(input.chance.below(4_000_000_000)))
      _ = (["Retry-After": input.text] as HTTPHeaders).retryAfter(now: now)
      let headers: HTTPHeaders = ["Retry-After": input.text, "Date": input.text]
      if let delay = headers.retryAfter(now: now) {
        try Finding.check(delay >= 0 && delay.isFinite, "the delay is \(delay)")
      }
    },
    Subject(
      "HTTPHeaders.ByteRange", weight: 5, samples: ["bytes=0-499", "bytes=-500", "bytes=9500-"], words: ["bytes="]
    ) {
      input in
      guard let range = HTTPHeaders.ByteRange(input.text) else { return }
      try Finding.check(HTTPHeaders.ByteRange(range.description) == range, "\(range) is another range than it says")
    },
    Subject("HTTPHeaders fields", weight: 5, samples: dateSamples + mediaTypeSamples + ["17", "bytes=1-2"]) { input in
      let headers = HTTPHeaders(
        ["Content-Length", "Content-Type", "Range", "Last-Modified", "Date"].map {
          HTTPHeaders.Field(name: $0, value: input.text)
        })
      _ = (headers.contentLength, headers.contentType, headers.range, headers.lastModified, headers.date)
    },
  ]

  static let base = URL(string: "https://api.example.com/shops/7") ?? URL(fileURLWithPath: "/")

  private static let linkSamples = [
    "<https://api.example.com/items?page=2>; rel=\"next\", <https://api.example.com/items?page=9>; rel=\"last\"",
    "</a>;rel=next;title=\"a\\\"b\";title*=UTF-8''%e2%82%ac", "<>; rel=\"self next\"; anchor=\"#x\",,<b>;rel", "<a", "",
  ]
  private static let mediaTypeSamples = [
    "application/json; charset=utf-8", "text/html;charset=\"utf-8\"; q=0.5", "application/vnd.api+json", "*/*",
    "multipart/form-data; boundary=\"a;b\\\"c\"",
  ]
  private static let dateSamples = [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sat, 29 Feb 2020 23:59:60 GMT", "Mon, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
  ]
  private static let cacheSamples = [
    "max-age=604800, must-revalidate", "no-cache=\"Set-Cookie, X-A\", private", "public, s-maxage=60,,no-store",
    "max-age",
    "max-age=\"5\", stale-while-revalidate=30, extension=\"a\\\"b\"",
  ]
}
