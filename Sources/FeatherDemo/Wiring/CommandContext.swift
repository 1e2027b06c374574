import Foundation
import WebServices

/// The set-up that every command with requests shares: credentials, server, spinner.
@MainActor
final class CommandContext {
  let arguments: Arguments
  let credentials: Credentials
  let spinner: Spinner
  let wiring: Wiring

  /// Reads the credentials and configures `JsonWebService.shared`, as an app does at launch.
  init(_ arguments: Arguments) async throws {
    self.arguments = arguments
    credentials = try await arguments.command.signsIn ? Credentials.find(for: arguments) : .none
    wiring = try Wiring.make(for: arguments)
    spinner = Spinner(isShown: Terminal.canAnimate && !arguments.isVerbose)
    if let notice = wiring.notice { Console.note(notice) }
    BasicAuthManager.shared.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    JsonWebService.resetSharedInstance(
      session: session, reachability: wiring.reachability, configuration: configuration)
  }

  /// The configuration of every service that a command makes.
  var configuration: WebServiceConfiguration {
    WebServiceConfiguration(
      baseURL: wiring.baseURL, timeout: 30,
      monitors: arguments.isVerbose
        ? [TimelineMonitor.onConsole(width: Terminal.isErrorTerminal ? Terminal.width : nil)] : [])
  }

  /// Makes a progress bar. With `--verbose` the bar stays hidden, because timelines take its place.
  func progressBar() -> ProgressBar {
    ProgressBar(isShown: Terminal.canAnimate && !arguments.isVerbose)
  }

  /// Describes an error for the user. With `--verbose` the failure also contains the library's own description.
  func failure(_ action: String, _ error: WebServiceError?) -> CommandFailure {
    let text = FailureText(
      action: action, error: error, baseURL: Redaction.standard.url(wiring.baseURL.absoluteString),
      command: arguments.command, isOwnBackend: wiring.backend != nil || wiring.session != nil,
      file: arguments.namedFile)
    var lines = text.lines
    if arguments.isVerbose, let error {
      let secrets = [credentials.password, BasicAuthManager.shared.apiToken]
      let words = Wording.oneLine(Wording.hide(secrets, in: "\(error)"))
      // A terminal gets a shortened text; a pipe or file gets all of it.
      lines.append(Terminal.isErrorTerminal ? Wording.shortened(words, to: 1_000) : words)
    }
    return CommandFailure(lines)
  }

  /// Describes any error, also one that isn't a ``WebServiceError``.
  func failure(_ action: String, other error: any Error) -> CommandFailure {
    let known = error as? WebServiceError
    let paging = known?.underlying(as: PagingError.self)
    if let known, paging == nil { return failure(action, known) }
    return CommandFailure(["FeatherDemo: \(action) failed. \(Wording.sentence(of: paging ?? error))"])
  }

  /// Shuts the shared service and the backend down.
  func close() {
    JsonWebService.shared.invalidateAndCancel()
    wiring.backend?.stop()
  }

  /// The session of the shared service. With `--verbose` the library's own session is made here, so that its kind can
  /// be printed.
  private var session: (any URLSessionProtocol)? {
    guard arguments.isVerbose, wiring.session == nil else { return wiring.session }
    let own = DefaultSession.make()
    Console.note("Sending through \(own).")
    return own.session
  }
}
