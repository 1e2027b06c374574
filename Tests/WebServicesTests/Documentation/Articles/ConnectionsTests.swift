import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The samples of the article on connections.
@Suite struct ConnectionsTests {
  // sample: requestTimeouts
  struct RequestDataForReport: WebServiceRequestData {
    let path = "report"
    var options: RequestOptions {
      RequestOptions {
        $0.timeout = 300
        $0.connectTimeout = 5
        $0.idleTimeout = 20
      }
    }
  }
  // end of sample

  /// Compiled alone: the shared instance belongs to other tests.
  private func configure() {
    // sample: transport
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    configuration.transport.trust = .file("/etc/feather/authority.pem")
    configuration.transport.pinnedPublicKeys = ["drwFuLe+mFnIEebz+mvL4ptfCigMBbUoU7yFBVesJ+0="]
    configuration.transport.connectionsPerHost = 8
    JsonWebService.resetSharedInstance(configuration: configuration)
    // end of sample
    // sample: transportOfServer
    var config = Server.Config(base: URL(string: "https://shop.example.com"))
    config.service = { $0.transport.connectionsPerHost = 8 }
    // end of sample
    _ = config
  }

  @Test func aSettingThatCannotBeKeptIsAnError() {
    var configuration = WebServiceConfiguration()
    configuration.transport.trust = .file("/no/such/file")
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    // sample: transportCheck
    do {
      let own = try DefaultSession.make(configuration.transport)
      print(own.description)
    } catch {
      print("\(error.setting): \(error.reason)")
    }
    // end of sample
    #expect(printed == ["trust: /no/such/file is no file that can be read"])
  }

  @Test func aRequestHasTimeoutsOfItsOwn() {
    let options = RequestDataForReport().options
    #expect(options.connectTimeout == 5 && options.idleTimeout == 20)
  }
}
