// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each declaration has the page that it is from instead.

// The part of Network that the library uses. The pages are those of https://developer.apple.com/documentation.

import Dispatch

// network/nwpath
public struct NWPath: Sendable {
  // network/nwpath/status-swift.enum
  public enum Status: Sendable {
    case satisfied
    case unsatisfied
    case requiresConnection
  }
  // network/nwpath/status-swift.property
  public var status: Status { fatalError() }
}

// network/nwpathmonitor. Older SDKs don't declare the class `Sendable`.
public final class NWPathMonitor {
  public init() {}
  // network/nwpathmonitor/pathupdatehandler
  @preconcurrency public final var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { fatalError() }
    set { fatalError() }
  }
  // network/nwpathmonitor/currentpath
  public final var currentPath: NWPath { fatalError() }
  // network/nwpathmonitor/start(queue:)
  public final func start(queue: DispatchQueue) {}
  // network/nwpathmonitor/cancel()
  public final func cancel() {}
}
