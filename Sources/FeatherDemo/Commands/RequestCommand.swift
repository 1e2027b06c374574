import Foundation
import WebServices

/// Sends one request to any server. The content goes to standard output, and everything else to standard error.
@MainActor
enum RequestCommand {
  /// The response, as the option `--json` prints it.
  private struct Shown: Encodable {
    var status: Int
    var headers: [String: String]
    var body: JSONValue?
  }

  static func run(_ context: CommandContext) async throws {
    let arguments = context.arguments
    let request = request(arguments)
    // Every status is a success, because the command shows errors too.
    let parser = ResponseParser.response.mapping(Set(100...999), with: .response)
    if arguments.printsCurlCommand {
      let line = try await context.step("describing the request") {
        try JsonWebService.shared.curlCommand(for: request, accept: parser.accept)
      }
      return Console.result(line.description)
    }
    if let file = arguments.outputFile { try checkOutput(file) }
    let response = try await context.step("sending the request") {
      try await JsonWebService.shared.sendRequest(request, parser: parser)
    }
    try show(response, arguments)
    // The head shows the status, so the failure needs no lines.
    guard response.isSuccessful else { throw CommandFailure([]) }
  }

  /// Refuses a place where a file would replace a pipe, a device or a link.
  private static func checkOutput(_ file: String) throws {
    let kind = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
    guard kind ?? .typeRegular == .typeRegular else {
      throw CommandFailure(["FeatherDemo: \(file) isn't a regular file."])
    }
  }

  static func request(_ arguments: Arguments) -> Request {
    Request(arguments.target?.text ?? "", arguments.method, body: body(arguments.body), headers: arguments.headers)
  }

  /// Text is JSON if it can be read as JSON, and otherwise a form, as it is with cURL.
  private static func body(_ body: Arguments.Body?) -> RequestBody? {
    switch body {
    case nil: return nil
    case .file(let path): return .file(URL(fileURLWithPath: path))
    case .text(let text):
      let isJSON = (try? FeatherJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) != nil
      return .data(
        Data(text.utf8), contentType: isJSON ? "application/json" : "application/x-www-form-urlencoded")
    }
  }

  private static func show(_ response: WebServiceResponse, _ arguments: Arguments) throws {
    let version = response.metrics?.httpVersion ?? "HTTP"
    Console.note("\(version) \(response.statusCode)", response.isSuccessful ? .green : .red)
    for field in response.headers { Console.note("\(field.name): \(shown(field))") }
    if let metrics = response.metrics {
      let connection = metrics.isReusedConnection ? "a reused connection" : "a new connection"
      Console.note(
        "\(Int(metrics.total * 1_000)) ms over \(connection), \(Wording.bytes(metrics.bytesReceived)) received")
    }
    Console.note("")
    if let file = arguments.outputFile {
      do { try response.body.write(to: URL(fileURLWithPath: file), options: .atomic) } catch {
        throw CommandFailure(["FeatherDemo: the content can't be written to \(file). \(error.localizedDescription)"])
      }
      Console.note("\(Wording.bytes(Int64(response.body.count))) written to \(file).")
    } else if arguments.printsJSON {
      Console.result(try JSONText.of(summary(of: response)))
    } else {
      showBody(of: response)
    }
  }

  private static func showBody(of response: WebServiceResponse) {
    guard Terminal.isOutputTerminal else { return Console.data(response.body) }
    // A server's text must not control the terminal.
    guard !response.body.contains(0), let text = try? ResponseParser.text.parse(response) else {
      return Console.note("\(Wording.bytes(Int64(response.body.count))) of binary content: use --output FILE.")
    }
    Console.result(text)
  }

  private static func summary(of response: WebServiceResponse) -> Shown {
    let headers = response.headers.map { ($0.name.lowercased(), shown($0)) }
    let text = try? ResponseParser.text.parse(response)
    return Shown(
      status: response.statusCode, headers: Dictionary(headers) { "\($0), \($1)" },
      body: (try? FeatherJSONDecoder().decode(JSONValue.self, from: response.body)) ?? text.map(JSONValue.string))
  }

  private static func shown(_ field: HTTPHeaders.Field) -> String {
    Redaction.standard.hides(header: field.name) ? Redaction.placeholder : field.value
  }
}
