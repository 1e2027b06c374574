/// A task with nothing left to do. A fake session calls the completion handler in `dataTask(with:completionHandler:)`,
/// and returns this task.
public struct FinishedTask: URLSessionTaskProtocol {
  /// Creates a task.
  public init() {}
}
