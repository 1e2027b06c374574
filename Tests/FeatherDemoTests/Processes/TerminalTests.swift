import Foundation
import Testing
import WebServicesTesting

@testable import FeatherDemo

extension ProcessTests {
  @Suite struct TerminalTests {
    private let terminal: Pseudoterminal

    init() throws {
      terminal = try Pseudoterminal()
    }

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> DemoProcess {
      try DemoProcess(arguments, environment: environment, terminal: terminal.handle)
    }

    @Test func spinnerTurnsAndIsErasedAtTheEnd() async throws {
      #expect(try await start("signin").outcome().status == 0)
      #expect(terminal.text.hasPrefix("\r| Signing in..."))
      #expect(terminal.text.hasSuffix("\r\u{1B}[KSigned in as demo for 10 minutes.\r\n"))
    }

    @Test func aTerminalThatCannotEraseGetsNoSpinner() async throws {
      #expect(try await start("signin", environment: ["TERM": "dumb"]).outcome().status == 0)
      #expect(terminal.text == "Signed in as demo for 10 minutes.\r\n")
    }

    @Test func promptedPasswordIsNotEchoed() async throws {
      let process = try start("signin", "--user", "ann")
      #expect(try await terminal.wait { $0.text.contains("Password for ann: ") && !$0.echoes })
      terminal.type(DemoAccount.password + "\n")
      #expect(try await process.outcome().status == 0)
      #expect(terminal.text.contains("Signed in as ann for 10 minutes."))
      #expect(!terminal.text.contains(DemoAccount.password))
      #expect(terminal.echoes)
    }

    @Test func anInterruptionAtThePromptRestoresTheTerminal() async throws {
      let process = try start("signin", "--user", "ann")
      #expect(try await terminal.wait { !$0.echoes })
      process.interrupt()
      #expect(try await process.outcome().status == 130)
      #expect(terminal.echoes)
    }

    @Test func anInterruptionErasesTheSpinner() async throws {
      let server = try LoopbackServer()
      server.route(.post, "/authenticate", [.stall])
      let process = try start("signin", "--base-url", server.baseURL.absoluteString)
      #expect(try await terminal.wait { $0.text.contains("\r/ Signing in...") })
      process.interrupt()
      #expect(try await process.outcome().status == 130)
      #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
    }

    @Test func emptyPasswordIsAUsageError() async throws {
      let process = try start("signin", "--user", "ann")
      #expect(try await terminal.wait { !$0.echoes })
      terminal.type("\n")
      #expect(try await process.outcome().status == 64)
      #expect(terminal.text.contains("the password is empty"))
    }
  }
}
