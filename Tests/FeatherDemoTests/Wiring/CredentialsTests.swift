import Foundation
import Testing

@testable import FeatherDemo

@Suite struct CredentialsTests {
  private func source(
    user: String? = nil, isRemote: Bool = false, password: String? = nil, canPrompt: Bool = false
  ) -> Credentials.PasswordSource {
    let url = isRemote ? URL(string: "http://host") : nil
    return Credentials.passwordSource(
      for: Arguments(command: .signIn, baseURL: url, user: user),
      environment: password.map { ["FEATHER_PASSWORD": $0] } ?? [:], canPrompt: canPrompt)
  }

  @Test func withoutAUserTheDemoAccountIsUsed() {
    #expect(source() == .demoAccount)
    #expect(source(canPrompt: true) == .demoAccount)
    #expect(source(isRemote: true, canPrompt: true) == .demoAccount)
  }

  @Test func passwordFromEnvironmentOverridesOtherSources() {
    #expect(source(password: "x") == .given("x"))
    #expect(source(user: "ann", isRemote: true, password: "x", canPrompt: true) == .given("x"))
  }

  @Test func emptyPasswordFromEnvironmentIsIgnored() {
    #expect(source(user: "ann", isRemote: true, password: "") == .none)
  }

  @Test func namedUserIsPromptedForPassword() {
    #expect(source(user: "ann", canPrompt: true) == .prompt)
    #expect(source(user: "ann", isRemote: true, canPrompt: true) == .prompt)
  }

  @Test func withoutAPromptOnlyTheBuiltInBackendHasAPassword() {
    #expect(source(user: "ann") == .demoAccount)
    #expect(source(user: "ann", isRemote: true) == .none)
  }
}
