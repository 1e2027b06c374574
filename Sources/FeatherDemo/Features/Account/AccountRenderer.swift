/// Formats each event of the `account` command as a line for the terminal.
enum AccountRenderer {
  static func line(for event: AccountEvent) -> String {
    let user = event.user.map(Wording.oneLine) ?? "nobody"
    let call = Wording.oneLine(event.call ?? "")
    return switch event.kind {
    case .signedIn: "Signed in as \(user)."
    case .signedOut: "Signed out."
    case .sent: "  \(call) is in progress, for \(user)."
    case .succeeded: "  \(call) succeeded, for \(user)."
    case .cancelled: "  \(call) was cancelled: it belonged to \(user)."
    case .refused: "  \(call) was refused, for \(user)\(event.status.map { " (\($0))" } ?? "")."
    }
  }
}
