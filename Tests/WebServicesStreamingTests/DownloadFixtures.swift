@testable import WebServicesTestSupport

/// A file whose first download breaks in its middle.
enum HalfFile {
  static let data = pattern(300_000)
  static let half = 150_000

  /// A response that announces the length of the whole file, and ends in its middle with the last step.
  static func broken(
    _ headers: HTTPHeaders = ["ETag": "\"v1\""], then end: LoopbackServer.Step = .close
  ) -> LoopbackServer.Response {
    var all = headers
    all.add(name: "Content-Length", value: "\(data.count)")
    return [.head(status: 200, headers: all), .body(data.prefix(half)), end]
  }

  /// The second half, with the range that its head names.
  static func rest(
    _ range: String = "bytes 150000-299999/300000", _ headers: HTTPHeaders = ["ETag": "\"v1\""]
  ) -> LoopbackServer.Response {
    var all = headers
    all.add(name: "Content-Range", value: range)
    return .data(data.dropFirst(half), status: 206, headers: all)
  }
}

extension SocketHarness {
  /// The error of a download.
  func downloadError(of request: TestRequest) async -> WebServiceError? {
    let results = download(request).results
    return await results.elements(1).first?.failure
  }

  /// The `Range` fields of the requests that the server has got.
  var ranges: [String?] { server.requests.map { $0.headers["Range"] } }
}
