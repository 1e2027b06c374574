import Dispatch

/// Where an app's own code runs that is asked on the way of a request: for another token, for a signature. What brings it
/// up may stand on a transport's thread or a clock's, which every other request waits for.
enum AppCode {
  static let queue = DispatchQueue(label: "WebServices.AppCode", qos: .userInitiated, attributes: .concurrent)
}
