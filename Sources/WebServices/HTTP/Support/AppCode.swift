package import Dispatch

/// The queue for an app's code that a request calls on its way: for another token, for a signature. The event before it
/// may come on a transport's or a clock's thread, which every other request waits for.
package enum AppCode {
  package static let queue = DispatchQueue(label: "WebServices.AppCode", qos: .userInitiated, attributes: .concurrent)
}
