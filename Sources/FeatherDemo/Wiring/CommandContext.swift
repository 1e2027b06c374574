import Foundation
import WebServices

/// What every command that sends requests starts with.
@MainActor
final class CommandContext {
  let arguments: Arguments
  let credentials: Credentials
  let spinner: Spinner
  let wiring: Wiring

  /// Finds out who signs in, and sets the shared service up, as an app does when it has launched.
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

  /// What all services of the command have in common.
  var configuration: WebServiceConfiguration {
    WebServiceConfiguration(
      baseURL: wiring.baseURL, timeout: 30,
      monitors: arguments.isVerbose
        ? [TimelineMonitor.onConsole(width: Terminal.isErrorTerminal ? Terminal.width : nil)] : [])
  }

  /// A bar for a transfer; the timelines of the requests take its place.
  func progressBar() -> ProgressBar {
    ProgressBar(isShown: Terminal.canAnimate && !arguments.isVerbose)
  }

  /// Makes a failure out of an error: for people, and for developers too where every request is shown.
  func failure(_ action: String, _ error: WebServiceError?) -> CommandFailure {
    let text = FailureText(
      action: action, error: error, baseURL: Redaction.standard.url(wiring.baseURL.absoluteString),
      command: arguments.command, isOwnBackend: wiring.backend != nil || wiring.session != nil,
      file: arguments.namedFile)
    var lines = text.lines
    if arguments.isVerbose, let error {
      let secrets = [credentials.password, BasicAuthManager.shared.apiToken]
      let words = Wording.oneLine(Wording.hide(secrets, in: "\(error)"))
      // A pipe has room for all of it.
      lines.append(Terminal.isErrorTerminal ? Wording.shortened(words, to: 1_000) : words)
    }
    return CommandFailure(lines)
  }

  /// The same for what isn't an error of the library's.
  func failure(_ action: String, other error: any Error) -> CommandFailure {
    if let error = error as? WebServiceError { return failure(action, error) }
    return CommandFailure(["FeatherDemo: \(action) failed. \(Wording.sentence(of: error))"])
  }

  /// Ends what the commands may have left open.
  func close() {
    JsonWebService.shared.invalidateAndCancel()
    wiring.backend?.stop()
  }

  private var session: (any URLSessionProtocol)? {
    guard arguments.isVerbose, wiring.session == nil else { return wiring.session }
    let own = DefaultSession.make()
    Console.note("Sending through \(own).")
    return own.session
  }
}
