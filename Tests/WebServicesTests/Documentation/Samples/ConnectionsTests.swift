import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The samples of the article on connections.
@Suite struct ConnectionsTests {
  // sample: requestTimeouts

  /// Compiled alone: the shared instance belongs to other tests.
  private func configure() {
    // sample: transport
    // sample: transportOfServer
    _ = config
  }

  @Test func aSettingThatCannotBeKeptIsAnError() {
    var configuration = WebServiceConfiguration()
    configuration.transport.trust = .file("/no/such/file")
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    // sample: transportCheck
    #expect(printed == ["trust: /no/such/file is no file that can be read"])
  }

  @Test func aRequestHasTimeoutsOfItsOwn() {
    let options = RequestDataForReport().options
    #expect(options.connectTimeout == 5 && options.idleTimeout == 20)
  }
}
