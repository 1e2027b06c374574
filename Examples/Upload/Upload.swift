import Foundation
import WebServices
import WebServicesTesting

struct RequestDataForUpload: WebServiceRequestData {
  var file: URL
  var onProgress: @Sendable (TransportRequest.Progress) -> Void
  var path: String { "files/\(segment: file.lastPathComponent)" }
  var method: HTTPMethod { .put }
  var body: RequestBody? { .file(file) }
  var options: RequestOptions { RequestOptions { $0.onProgress = onProgress } }
}

func draw(_ fraction: Double) {
  let bar = String(repeating: "#", count: Int(fraction * 40)).padding(toLength: 40, withPad: ".", startingAt: 0)
  print("\r[\(bar)] \(Int(fraction * 100)) %", terminator: "")
  fflush(nil)
}

let server = try LoopbackServer()
server.route(.put, "/files/:name") { request in .text("The server has \(request.body.count) bytes.") }

let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")
try Data(count: 8_000_000).write(to: file)
defer { try? FileManager.default.removeItem(at: file) }

// The library reports on a queue of its own. The stream brings the reports to the task that draws the bar.
let (reports, reporter) = AsyncStream.makeStream(of: TransportRequest.Progress.self)
let drawing = Task {
  for await report in reports { draw(Double(report.sent) / Double(report.expectedToSend ?? .max)) }
}
let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
let upload = RequestDataForUpload(file: file) { reporter.yield($0) }
let text = try await service.sendRequest(upload, parser: .text)
reporter.finish()
await drawing.value
print("\n\(text)")

// Prints: The server has 8000000 bytes.
