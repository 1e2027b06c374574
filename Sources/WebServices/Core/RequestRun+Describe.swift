import Foundation

extension RequestRun {
  /// Makes the transport request of the caller's data, on the caller's thread.
  func describe() -> Event {
    do throws(RequestFailure) {
      var request = try RequestDescription.transportRequest(
        for: data, options: options, accept: plan.accept, base: engine.base, configuration: engine.configuration)
      if plan.sink.countsFromLastByte {
        request.timeouts = TransportTimeouts(idle: request.timeouts.whole)
      }
      if let onProgress = options.onProgress { request.onProgress = ProgressRelay(onProgress).report }
      try makeFile()
      return .described(request)
    } catch {
      return .refused(error)
    }
  }

  /// Makes the file for the response: a request whose response can't be written isn't sent.
  private func makeFile() throws(RequestFailure) {
    do {
      try plan.sink.file?.create()
    } catch {
      throw RequestFailure(kind: .file, message: "the response's file can't be made", underlying: error)
    }
  }
}
