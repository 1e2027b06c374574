import Foundation
import WebServices

/// The set-up that every command with requests shares: credentials, server, status line.
@MainActor
final class CommandContext {
  let arguments: Arguments
  let credentials: Credentials
  let wiring: Wiring
  private let statusLine: StatusLine

  /// Reads the credentials and configures `JsonWebService.shared`, as an app does at launch.
  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    credentials = try Credentials(for: arguments, environment: ProcessInfo.processInfo.environment)
    wiring = try Wiring(for: arguments)
    statusLine = StatusLine(isShown: Terminal.canAnimate && !arguments.isVerbose)
    BasicAuthManager.shared.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    JsonWebService.resetSharedInstance(
      session: wiring.session, reachability: wiring.reachability, configuration: configuration)
  }

  /// The configuration of every service that a command makes.
  var configuration: WebServiceConfiguration {
    let log = RequestLog(level: arguments.isVerbose ? .debug : nil) { Console.note($0.description) }
    return WebServiceConfiguration(baseURL: wiring.baseURL, timeout: 30, monitors: [log])
  }

  // MARK: Steps

  /// Runs a step, which is shown while it lasts. Its error becomes a failure that tells the user what to do.
  ///
  /// - Parameters:
  ///   - name: the step in progress, such as `signing in`.
  ///   - status: the text of the status line; `nil` shows the name.
  func step<Value>(
    _ name: String, status: (@Sendable () -> String)? = nil, _ work: () async throws -> Value
  ) async throws -> Value {
    begin(name, status: status)
    defer { end() }
    do { return try await work() } catch { throw failure(name, error) }
  }

  /// Begins a step that a completion handler ends with `end()`.
  func begin(_ name: String, status: (@Sendable () -> String)? = nil) {
    Interruption.step = name
    statusLine.start(status ?? { "\(name.prefix(1).uppercased())\(name.dropFirst())..." })
  }

  func end() {
    Interruption.step = nil
    statusLine.stop()
  }

  /// Prints a result: its lines for people, or JSON for programs.
  func show(_ content: some Encodable, _ lines: [String]) throws {
    (arguments.printsJSON ? [try JSONText.of(content)] : lines).forEach(Console.result)
  }

  // MARK: Failures

  /// Describes an error for the user, in the server's own words if it sent any. The log of `--verbose` has the
  /// library's own description.
  ///
  /// - Parameter words: what a command tells in place of the library's sentence for the user.
  func failure(_ step: String, _ error: (any Error)?, words: String? = nil) -> CommandFailure {
    let known = error as? WebServiceError
    let words = words ?? known?.friendlyDescription ?? error.map { "\($0)." } ?? "The response has no body."
    let lines = ["FeatherDemo: \(step) failed. \(words)"] + serverWords(known) + hints(for: known)
    return CommandFailure(lines.map(withoutSecrets))
  }

  private func serverWords(_ error: WebServiceError?) -> [String] {
    let body = error?.response?.body ?? Data()
    let words = (try? FeatherJSONDecoder().decode(JSONValue.self, from: body))?["error"]?.string
    return words.map { ["The server says: \(Wording.oneLine($0))"] } ?? []
  }

  /// A server may repeat the password in its response, where the library can't know it.
  private func withoutSecrets(_ line: String) -> String {
    [credentials.password, BasicAuthManager.shared.apiToken ?? ""].filter { $0.count >= 4 }
      .reduce(line) { $0.replacingOccurrences(of: $1, with: Redaction.placeholder) }
  }

  private func hints(for error: WebServiceError?) -> [String] {
    let isOther = wiring.backend == nil && wiring.session == nil
    switch error?.kind {
    case .sessionFailure, .timedOut, .noConnection:
      return isOther ? ["Is the server at \(shownBase) running? \"FeatherDemo serve\" starts one."] : []
    case .statusCode(401) where arguments.command.signsIn, .statusCode(403) where arguments.command.signsIn, .token:
      return ["Check the user (--user) and the password (FEATHER_PASSWORD)."]
    case .statusCode(404), .notHTTPResponse, .undecodableBody:
      return isOther ? ["Is \(shownBase) the right address?"] : []
    default:
      return error.map { $0.message.isEmpty ? [] : ["The reason: \(Wording.oneLine($0.message))."] } ?? []
    }
  }

  private var shownBase: String { Redaction.standard.url(wiring.baseURL.absoluteString) }

  /// Shuts the shared service and the demo's server down.
  func close() {
    JsonWebService.shared.invalidateAndCancel()
    wiring.backend?.stop()
  }
}

/// The failure of a command, as lines for the user.
struct CommandFailure: Error {
  let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }
}
