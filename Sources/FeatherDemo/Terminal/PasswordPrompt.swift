import Foundation

/// Prompts for a password on the terminal.
enum PasswordPrompt {
  /// Reads a line without echo and without blocking the caller's thread; `nil` at the end of the input.
  static func ask(for user: String) async -> String? {
    Terminal.switchEchoOff()
    Console.status("Password for \(Wording.printable(Wording.oneLine(user))): ")
    let password = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: readLine(strippingNewline: true))
      }
    }
    Terminal.switchEchoOn()
    Console.note("")
    return password
  }
}
