import Foundation
import WebServices

/// Sends one request to any server and shows the response.
@MainActor
enum RequestCommand {
  static func run(_ context: CommandContext) async throws {
    let requestData = RequestDataForAnything(context.arguments)
    guard !context.arguments.printsCurlCommand else { return try printCurlCommand(requestData, context) }
    let result = await send(requestData, context)
    switch result {
    case .success(let response):
      try show(response, outputFile: context.arguments.outputFile)
      // The report has already shown the status, so the failure needs no lines.
      guard response.isSuccessful else { throw CommandFailure([]) }
    case .failure(let error):
      if let response = error.response { try show(response, outputFile: nil) }
      throw context.failure("the request", error)
    }
  }

  private static func send(
    _ requestData: RequestDataForAnything, _ context: CommandContext
  ) async -> Result<WebServiceResponse, WebServiceError> {
    context.spinner.start("Waiting for the response")
    defer { context.spinner.stop() }
    do throws(WebServiceError) {
      return .success(try await JsonWebService.shared.sendRequest(requestData, parser: anyStatus))
    } catch {
      return .failure(error)
    }
  }

  /// Accepts every status as a success, because the command shows errors too.
  private static var anyStatus: ResponseParser<WebServiceResponse> {
    .response.mapping(Set(100...999), with: .response)
  }

  /// Writes the content to the file if there is one, then prints the report.
  private static func show(_ response: WebServiceResponse, outputFile: String?) throws {
    if let outputFile {
      do {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: outputFile, isDirectory: &isDirectory), isDirectory.boolValue {
          throw POSIXError(.EISDIR)
        }
        try response.body.write(to: URL(fileURLWithPath: outputFile), options: .atomic)
      } catch {
        throw CommandFailure([
          "FeatherDemo: the response can't be written to \(Wording.oneLine(outputFile)): \(FileFailure.reason(for: error)).",
          "Check that its folder exists, and that you may write to it.",
        ])
      }
    }
    let report = ResponseReport(response)
    report.lines(outputFile: outputFile, bodySize: response.body.count).forEach(Console.result)
  }

  /// Prints the request as a cURL line.
  private static func printCurlCommand(_ requestData: RequestDataForAnything, _ context: CommandContext) throws {
    do throws(WebServiceError) {
      let command = try JsonWebService.shared.curlCommand(for: requestData, accept: anyStatus.accept)
      Console.result(command.description)
    } catch {
      throw context.failure("the request", error)
    }
  }
}
