import Dispatch

/// The queue for an app's code that runs during a request, such as the replacement of a token or a signature. The event
/// that calls for the code may come on a thread of a transport or a clock, which an app's code must not block.
enum UserCallbackQueue {
  static let shared = DispatchQueue(
    label: "WebServices.UserCallbackQueue", qos: .userInitiated, attributes: .concurrent)
}
