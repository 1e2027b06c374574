@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  extension CurlSession {
    /// Makes a session without a proxy. A library leaves out the check of the configuration.
    static func forTest(
      library: CurlLibrary? = nil, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> CurlSession {
      var configuration = TransportConfiguration.forTest
      change(&configuration)
      if let library { return CurlSession(configuration, library: library) }
      return try CurlSession(configuration: configuration)
    }
  }

  extension CurlLibrary {
    /// Whether the installed library is older than 7.80. A request that must not be sent twice then gets a new
    /// connection, and libcurl sends any other one again if its connection was closed.
    static let isOld = (try? found.get().hasPrerequest) == false

    /// The installed library, which counts as 7.76.
    static func old() throws -> CurlLibrary {
      var library = try found.get()
      library.hasPrerequest = false
      return library
    }
  }

  extension CurlDriver {
    /// Whether the session's thread hasn't begun to free everything.
    var hasLoop: Bool { withLock { loop != nil } }

    /// Waits until everything is released.
    func ended() async { while hasLoop { await Task.yield() } }
  }
#endif
