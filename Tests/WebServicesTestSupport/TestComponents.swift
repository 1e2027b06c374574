/// The model of most tests.
struct City: Codable, Hashable, Sendable {
  var name: String
}

/// A request whose parts can all be set.
struct TestRequest: WebServiceRequestData {
  var path = "https://api.example.com/cities"
  var method = HTTPMethod.get
  var headers = HTTPHeaders()
  var queryItems: [URLQueryItem] = []
  var body: RequestBody?
  var authorization = WebServiceAuthorizationType.none
  var options = RequestOptions()
}

/// Collects values from any thread, and waits for a number of them.
final class Collector<Element: Sendable>: Sendable {
  private let state = Watched<[Element]>([])

  var elements: [Element] { state.withLock { $0 } }

  func append(_ element: Element) { state.withLock { $0.append(element) } }

  func removeAll() { state.withLock { $0 = [] } }

  func waitForElements(_ count: Int) async { await state.wait { $0.count >= count } }

  /// Waits for a number of elements, and returns all.
  func elements(_ count: Int) async -> [Element] {
    await waitForElements(count)
    return elements
  }

  /// Waits until an element meets the condition, also if it came before.
  func waitForElement(where isMatch: @escaping @Sendable (Element) -> Bool) async {
    await state.wait { $0.contains(where: isMatch) }
  }
}

extension Collector where Element == Void {
  var count: Int { elements.count }

  func add() { append(()) }
}

/// Texts of random pieces, which are the same for each seed.
func randomTexts(
  _ count: Int, seed: UInt64, of pieces: [String], lengths: ClosedRange<Int> = 0...40
) -> [String] {
  var generator = Chance(seed: seed)
  return (0..<count).map { _ in
    (0..<Int.random(in: lengths, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator) }
      .joined()
  }
}

/// Runs the body for each index on four threads, and returns when all have ended. The threads aren't taken from the
/// pool of Swift tasks.
func concurrently(_ iterations: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  let threads = 4
  let next = Locked(0)
  let ended = Collector<Void>()
  for _ in 0..<threads {
    Thread.detachNewThread {
      while case let index = next.takeNext(), index < iterations { body(index) }
      ended.append(())
    }
  }
  await ended.waitForElements(threads)
}

extension Locked where Value == Int {
  /// Returns the number, which is greater by 1 the next time.
  func takeNext() -> Int {
    withLock { value in
      defer { value += 1 }
      return value
    }
  }
}

extension Result {
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// The error of the library that the work throws. Records an issue at the caller's line if nothing or another error is
/// thrown.
@discardableResult
func thrown<Value>(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () async throws -> Value
) async -> WebServiceError? {
  do {
    _ = try await work()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch let error as WebServiceError {
    return error
  } catch {
    Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
  }
  return nil
}

/// All texts that can be printed of a value.
func printedTexts(of value: Any) -> String {
  var texts = "\(value) \(String(reflecting: value)) "
  dump(value, to: &texts)
  return texts
}
