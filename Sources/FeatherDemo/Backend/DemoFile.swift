import Foundation
import WebServices
import WebServicesDoubles

/// A virtual file of any size. Its content repeats one block, so that it needs no memory. `part` reads a range request,
/// and `steps` makes the body.
struct DemoFile: Sendable {
  static let largest: Int64 = 1_000_000_000_000
  private static let block = Data((0..<1_024).flatMap { number in Data(String(format: "%015d\n", number).utf8) })

  let size: Int64

  init?(size: Int64) {
    guard (0...Self.largest).contains(size) else { return nil }
    self.size = size
  }

  /// The entity tag. The content never changes, so the size alone identifies it.
  var entityTag: String { "\"demo-\(size)\"" }

  /// The part of the file that a range request gets.
  enum Part: Sendable {
    case whole
    case part(ClosedRange<Int64>)
    case unsatisfiable
  }

  /// - Parameters:
  ///   - range: the `Range` field. An invalid range is ignored (RFC 9110, section 14.2).
  ///   - condition: the `If-Range` field.
  func part(range: String?, condition: String?) -> Part {
    guard let range = range.flatMap({ HTTPHeaders.ByteRange($0) }), condition == nil || condition == entityTag else {
      return .whole
    }
    switch range {
    case .from(let first): return part(first, size - 1)
    case .bytes(let bytes): return part(bytes.lowerBound, min(bytes.upperBound, size - 1))
    case .last(let count): return count > 0 ? part(max(0, size - count), size - 1) : .unsatisfiable
    }
  }

  private func part(_ first: Int64, _ last: Int64) -> Part {
    first <= last ? .part(first...last) : .unsatisfiable
  }

  /// The steps that send these bytes: the end of a block, whole blocks, and the beginning of a block.
  static func steps(_ bytes: Range<Int64>) -> [LoopbackServer.Step] {
    let length = Int64(block.count)
    let offset = Int(bytes.lowerBound % length)
    let head = min(Int64(bytes.count), length - Int64(offset))
    let rest = Int64(bytes.count) - head
    return [
      .body(block[offset..<(offset + Int(head))]),
      .repeated(block, times: Int(rest / length)),
      .body(block.prefix(Int(rest % length))),
    ]
  }

  /// Parses a size in steps of 1000: `500`, `5k`, `5M` or `5G`.
  static func bytes(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits) else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
    return isTooLarge ? nil : bytes
  }
}

extension DemoBackend {
  /// Serves a file. `rate` limits the bytes per second. `break` closes the connection after that many bytes, except for
  /// a range request.
  static func file(_ request: LoopbackServer.Request) -> Response {
    guard let size = request.parameters["size"].flatMap(DemoFile.bytes), let file = DemoFile(size: size) else {
      return refusal(404, "A file is named by its size: /files/500, /files/5k, /files/5M or /files/5G.")
    }
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain; charset=us-ascii", "Accept-Ranges": "bytes", "ETag": file.entityTag,
    ]
    switch file.part(range: request.headers["Range"], condition: request.headers["If-Range"]) {
    case .unsatisfiable:
      return refusal(416, "There are no such bytes.", headers: ["Content-Range": "bytes */\(size)"])
    case .whole:
      let whole = response(200, headers, 0..<size, request)
      guard let count = request.query("break").flatMap(DemoFile.bytes), count < size else { return whole }
      return whole.cut(afterBytes: Int(count), then: .close)
    case .part(let range):
      var headers = headers
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
      return response(206, headers, range.lowerBound..<(range.upperBound + 1), request)
    }
  }

  private static func response(
    _ status: Int, _ headers: HTTPHeaders, _ bytes: Range<Int64>, _ request: LoopbackServer.Request
  ) -> Response {
    var headers = headers
    headers["Content-Length"] = "\(bytes.count)"
    let response = Response([.head(status: status, headers: headers)] + DemoFile.steps(bytes))
    guard let rate = request.query("rate").flatMap(DemoFile.bytes), rate > 0 else { return response }
    return response.throttled(bytesPerSecond: Int(clamping: rate))
  }
}
