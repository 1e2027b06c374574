/// Waits for a completion; cancelling the Swift task cancels what was started.
func awaited<Value: Sendable>(
  _ start: (@escaping @Sendable (Result<Value, WebServiceError>) -> Void) -> WebServiceTask
) async throws(WebServiceError) -> Value {
  let handle = TaskCancellation()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, WebServiceError>, Never>) in
      let task = start { continuation.resume(returning: $0) }
      handle.set { task.cancel() }
    }
  } onCancel: {
    handle.cancel()
  }
  return try result.get()
}
