#if os(Linux)
  internal import CurlShim

  /// A coding of a response's content (RFC 9110, section 8.4.1).
  enum ContentCoding: Int32, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// More codings than these on top of each other aren't decoded: each multiplies what a few bytes can become.
    static let mostAtOnce = 2

    /// The codings that this machine can decode, as the value of `Accept-Encoding`; `nil` for none.
    static let accepted: String? = {
      let names = allCases.filter(\.isAvailable).map(\.name)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }()

    /// The codings of a `Content-Encoding` in the order in which they were applied, without `identity`.
    ///
    /// Empty where there is nothing to decode, and where one of them isn't known here or there are too many: the content
    /// is then handed on as it is, as browsers do.
    static func codings(of fields: [HTTPHeaders.Field]) -> [ContentCoding] {
      var codings: [ContentCoding] = []
      for field in fields where field.name.equalsIgnoringASCIICase("Content-Encoding") {
        for part in field.value.split(separator: ",", maxSplits: 8) {
          let name = part.filter { $0 != " " && $0 != "\t" }
          if name.isEmpty || name.equalsIgnoringASCIICase("identity") { continue }
          guard let coding = ContentCoding(name: name), coding.isAvailable, codings.count < mostAtOnce else {
            return []
          }
          codings.append(coding)
        }
      }
      return codings
    }

    var name: String {
      switch self {
      case .gzip: "gzip"
      case .deflate: "deflate"
      case .brotli: "br"
      case .zstd: "zstd"
      }
    }

    /// Whether a library for the coding was found.
    var isAvailable: Bool { decodeShimCan(rawValue) }

    private init?(name: String) {
      let isOldName = name.equalsIgnoringASCIICase("x-gzip")
      let coding = isOldName ? .gzip : Self.allCases.first { name.equalsIgnoringASCIICase($0.name) }
      guard let coding else { return nil }
      self = coding
    }
  }
#endif
