import Foundation

extension RequestRun {
  /// Makes the transport request from the caller's data, on the caller's thread.
  func describe() -> Event {
    do throws(RequestFailure) {
      var request = try RequestDescription.transportRequest(
        for: data, options: options, accept: accept, base: engine.base, configuration: engine.configuration,
        context: contextHeaders)
      if sink != nil {
        // A stream or a download may take any time as a whole. Its timeout limits the time between two bytes too.
        request.timeouts.idle = request.timeouts.idle ?? options.timeout ?? engine.configuration.timeout
      }
      // A request whose response can't be written isn't sent. This comes last: an invalid request creates no file.
      do { try sink?.prepare(request) } catch let failure as RequestFailure { throw failure } catch {
        throw RequestFailure(kind: .file, message: "the file for the response can't be created", underlying: error)
      }
      return .described(RequestStep(described: request, authorization: authorization))
    } catch {
      return .refused(error)
    }
  }
}
