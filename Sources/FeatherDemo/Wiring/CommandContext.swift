import Foundation
import WebServices

/// What every command that sends requests starts with.
@MainActor
final class CommandContext {
  let arguments: Arguments
  let credentials: Credentials
  let spinner: Spinner
  private let wiring: Wiring

  /// Finds out who signs in, and sets the shared service up, as an app does when it has launched.
  init(_ arguments: Arguments) async throws {
    self.arguments = arguments
    credentials = try await Credentials.find(for: arguments)
    wiring = try Wiring.make(for: arguments)
    spinner = Spinner(isShown: Terminal.canAnimate && !arguments.isVerbose)
    if let notice = wiring.notice { Console.note(notice) }
    BasicAuthManager.shared.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    JsonWebService.resetSharedInstance(
      session: session, reachability: wiring.reachability,
      configuration: WebServiceConfiguration(baseURL: wiring.baseURL, timeout: 30))
  }

  /// Makes a failure out of an error: for people, and for developers too where every exchange is shown.
  func failure(_ action: String, _ error: WebServiceError?) -> CommandFailure {
    let text = FailureText(
      action: action, error: error, baseURL: Redaction.standard.url(wiring.baseURL.absoluteString))
    var lines = text.lines
    if arguments.isVerbose, let error {
      lines.append(Wording.hide([credentials.password, BasicAuthManager.shared.apiToken], in: "\(error)"))
    }
    return CommandFailure(lines)
  }

  /// Ends what the commands may have left open.
  func close() {
    JsonWebService.shared.invalidateAndCancel()
    wiring.backend?.stop()
  }

  private var session: (any URLSessionProtocol)? {
    guard arguments.isVerbose else { return wiring.session }
    if let session = wiring.session { return verbose(session) }
    let own = DefaultSession.make()
    Console.note("Sending through \(own).")
    return verbose(own.session)
  }

  private func verbose(_ session: some URLSessionProtocol) -> any URLSessionProtocol {
    VerboseSession(session, redaction: .standard, log: Console.note)
  }
}
