package import Dispatch

/// The queue for an app's code that runs during a request: the replacement of a token, a signature. The event before it
/// may come on a thread of a transport or a clock, which all other requests need.
package enum AppCode {
  package static let queue = DispatchQueue(label: "WebServices.AppCode", qos: .userInitiated, attributes: .concurrent)
}
