// Apps that run with fakes use `WebServicesDoubles`, so that they don't link this module of tests.
#if canImport(Testing)
  import Foundation
  public import Testing
  public import WebServicesCore
  import WebServicesDoubles

  /// Gives a test of Swift Testing a session that replays a cassette, and that records the cassette if there is none.
  ///
  /// ```swift
  /// @Test(.cassette("a-joke")) func aJokeIsRead() async throws {
  ///   let service = JsonWebService(session: Cassette.session)
  ///   // … requests and expectations
  /// }
  /// ```
  ///
  /// The file is `Cassettes/a-joke.har` in the folder of the test's source. To record the file again, delete it.
  public struct CassetteTrait: TestTrait, TestScoping {
    fileprivate let file: URL
    fileprivate let use: @Sendable (@Sendable () async throws -> Void) async throws -> Void

    /// Runs the test with ``Cassette/session`` set. Swift Testing calls this method.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase?.isParameterized != true else {
        throw CassetteError.unreadable(
          path: file.path, reason: "a test with arguments would use the file several times")
      }
      try await use(function)
    }
  }

  extension Cassette {
    /// The session of a test with the trait `.cassette("name")`. In other tests, every request fails. All
    /// configurations of a `Server` may return it.
    @TaskLocal public static var session: any URLSessionProtocol = MockURLSession { _ in
      .unsent(.other, "the test has no cassette; add the trait .cassette(\"name\") to the test")
    }
  }

  extension Trait where Self == CassetteTrait {
    /// Replays a cassette in a test, or records it if there is none. The test sends with ``Cassette/session``.
    ///
    /// - Parameters:
    ///   - name: the file's name without `.har`. Each test has a file of its own.
    ///   - matching: selects the recorded response for a request.
    ///   - redaction: the secrets to hide.
    ///   - source: the test's source. The cassettes are in the folder `Cassettes` beside it.
    ///   - live: makes the session that sends the requests of a recording.
    public static func cassette(
      _ name: String, matching: CassetteMatching = .strict, redaction: Redaction = .standard,
      source: String = #filePath,
      live: @escaping @Sendable () throws -> any URLSessionProtocol = { try DefaultSession.make().session }
    ) -> Self {
      let file = URL(fileURLWithPath: source).deletingLastPathComponent()
        .appendingPathComponent("Cassettes/\(name).har")
      return Self(file: file) { test in
        try await Cassette.use(file, matching: matching, redaction: redaction, live: live) { session in
          try await Cassette.$session.withValue(session, operation: test)
        }
      }
    }
  }
#endif
