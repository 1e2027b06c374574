/// The rule that a test leaves nothing behind. After each test of a suite with the trait `.leavesNothing`, every
/// harness of the test lists what is left, and shuts down. Each entry of these lists fails the test.
///
/// A harness fails a test whose suite doesn't have the trait, so no suite can forget it.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  /// Something that a test left, and the place where its harness was made.
  struct Leftover: Sendable {
    var name: String
    var sourceLocation: SourceLocation
  }

  /// Shuts a harness down, and returns the names of what it found left.
  typealias Check = @Sendable () async -> [String]

  private struct PlacedCheck: Sendable {
    var check: Check
    var sourceLocation: SourceLocation
  }

  /// The checks of the test that is running; `nil` outside the trait.
  @TaskLocal private static var checks: Collector<PlacedCheck>?

  /// A suite passes the trait on to its tests, because each test has a scope of its own.
  var isRecursive: Bool { true }

  /// Runs the check after the current test, even if the test throws.
  static func addCheck(sourceLocation: SourceLocation, _ check: @escaping Check) {
    guard let checks else {
      Issue.record("A harness needs the trait: @Suite(.leavesNothing)", sourceLocation: sourceLocation)
      return
    }
    checks.append(PlacedCheck(check: check, sourceLocation: sourceLocation))
  }

  /// Runs a test, and then the checks of its harnesses.
  static func leftovers(
    after test: @Sendable () async throws -> Void
  ) async -> (outcome: Result<Void, any Error>, leftovers: [Leftover]) {
    let checks = Collector<PlacedCheck>()
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await Self.$checks.withValue(checks, operation: test))
    } catch {
      outcome = .failure(error)
    }
    // All at once, because a server waits for the connections of sessions that other checks shut down.
    let leftovers = await withTaskGroup(of: [Leftover].self) { group in
      for placed in checks.elements {
        group.addTask { await placed.check().map { Leftover(name: $0, sourceLocation: placed.sourceLocation) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    return (outcome, leftovers)
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Places.shared.take()
    let (outcome, leftovers) = await Self.leftovers(after: function)
    await Places.shared.leave()
    for leftover in leftovers {
      Issue.record("The test left \(leftover.name).", sourceLocation: leftover.sourceLocation)
    }
    try outcome.get()
  }
}

/// Lets few tests of the trait run at once. Together they would need 2,400 descriptors, and would wait for each other.
/// Linux allows 1,024 by default, and `swift test` asks for 2,048.
private actor Places {
  static let shared = Places()

  private var free = 16
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    guard !waiting.isEmpty else { return free += 1 }
    waiting.removeFirst().resume()
  }
}

extension Trait where Self == LeavesNothing {
  /// After each test, no harness has a request, a transfer, a timer or a connection left.
  static var leavesNothing: Self { LeavesNothing() }
}
