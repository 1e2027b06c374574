import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  extension CurlSession {
    /// Makes a session without a proxy. A library leaves out the check of the configuration.
    static func forTest(
      library: CurlLibrary? = nil, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> CurlSession {
      var configuration = TransportConfiguration()
      configuration.proxy = .none
      change(&configuration)
      if let library { return CurlSession(configuration, library: library) }
      return try CurlSession(configuration: configuration)
    }
  }

  extension CurlLibrary {
    /// The installed library, which counts as 7.76.
    static func old() throws -> CurlLibrary {
      var library = try found.get()
      library.hasPrerequest = false
      return library
    }
  }

  extension CurlDriver {
    /// Waits until everything is released.
    func ended() async {
      while !isOver { await Task.yield() }
    }
  }
#endif
