import Foundation
import Testing
@testable import WebServicesHTTP
@testable import WebServicesTestSupport
@testable import WebServicesTransport
import WebServicesTesting

/// The answers to challenges. Only Apple's Foundation carries them out.
struct FoundationChallengesTests {
  private func challenges(
    _ change: (inout TransportConfiguration) -> Void = { _ in }
  ) throws(TransportConfigurationError) -> FoundationChallenges {
    var configuration = TransportConfiguration()
    change(&configuration)
    return try FoundationChallenges(configuration)
  }

  private func file(_ text: String) throws -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test func systemAnswersWithoutSettings() throws {
    let challenges = try challenges()
    #expect(challenges.answer(to: .serverTrust) == .system)
    #expect(challenges.answer(to: .clientCertificate) == .system)
    #expect(challenges.answer(to: .password(isProxy: true, failureCount: 0)) == .system)
    // The engine sees the 401 and decides.
    #expect(challenges.answer(to: .password(isProxy: false, failureCount: 0)) == .reject)
  }

  @Test func proxyGetsItsUserOnce() throws {
    let challenges = try challenges { $0.proxy = .url("http://me:p%40ss@proxy.example:3128") }
    #expect(challenges.answer(to: .password(isProxy: true, failureCount: 0)) == .user("me", password: "p@ss"))
    #expect(challenges.answer(to: .password(isProxy: true, failureCount: 1)) == .system)
    #expect(challenges.answer(to: .password(isProxy: false, failureCount: 0)) == .reject)
  }

  @Test func pinnedKeyIsComparedWithTheCertificate() throws {
    let certificates = try file(TLSFixtures.server + "\n" + TLSFixtures.client)
    defer { try? FileManager.default.removeItem(atPath: certificates) }
    let anchors = try #require(try challenges { $0.trust = .file(certificates) }.anchors)
    #expect(anchors.count == 2)
    let pinned = try challenges { $0.pinnedPublicKeys = [TLSLoopback.publicKeyDigest] }
    #expect(pinned.answer(to: .serverTrust) == .checkTrust)
    #expect(anchors.map(pinned.isPinned) == [true, false])
    #expect(!pinned.isPinned(Data("no certificate".utf8)))
    #expect(try challenges().isPinned(anchors[1]))
  }

  @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  func fileWithoutCertificatesIsRefused(_ text: String) throws {
    let path = try file(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: TransportConfigurationError.self) { try challenges { $0.trust = .file(path) } }
    #expect(error?.setting == "trust")
  }

  @Test func clientCertificateIsTheIdentity() throws {
    let challenges = try challenges { $0.clientCertificate = .pkcs12(path: "/dev/null", password: "p") }
    #expect(challenges.answer(to: .clientCertificate) == .identity)
    #expect(challenges.identity?.password == "p")
  }
}
