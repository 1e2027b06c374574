/// Makes of what happened a line of the terminal.
enum AccountRenderer {
  static func line(for event: AccountEvent) -> String {
    let user = event.user.map(Wording.oneLine) ?? "nobody"
    let call = Wording.oneLine(event.call ?? "")
    return switch event.kind {
    case .signedIn: "Signed in as \(user)."
    case .signedOut: "Signed out."
    case .sent: "  \(call) is on its way, for \(user)."
    case .answered: "  \(call) was answered, for \(user)."
    case .cancelled: "  \(call) was cancelled: it was \(user)'s."
    case .refused: "  \(call) was refused, for \(user)\(event.status.map { " (\($0))" } ?? "")."
    }
  }
}
