// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each declaration has the page that it is from instead.

// The part of os that the library uses. The pages are those of https://developer.apple.com/documentation.

// os/ostype
public struct OSLogType: Sendable {
  public static let `default` = OSLogType()
  public static let info = OSLogType()
  public static let debug = OSLogType()
  public static let error = OSLogType()
  public static let fault = OSLogType()
}

// os/oslogprivacy
public struct OSLogPrivacy: Sendable {
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

// os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}

// os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private
  ) {}
}

// os/logger
public struct Logger: Sendable {
  // os/logger/init(subsystem:category:)
  public init(subsystem: String, category: String) {}
  // os/logger/log(level:_:)
  public func log(level: OSLogType, _ message: OSLogMessage) {}
}

// os/signpostmetadata
public typealias SignpostMetadata = OSLogMessage

// os/ossignpostid
public struct OSSignpostID: Sendable {
  // os/ossignpostid/init(_:)
  public init(_ value: UInt64) {}
}

// os/ossignpostintervalstate
public final class OSSignpostIntervalState {
  // os/ossignpostintervalstate/beginstate(id:)
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState() }
}

// os/ossignposter, which isn't Sendable here because its page doesn't say so.
public struct OSSignposter {
  // os/ossignposter/init(logger:)
  public init(logger: Logger) {}
  // os/ossignposter/begininterval(_:id:)
  public func beginInterval(_ name: StaticString, id: OSSignpostID) -> OSSignpostIntervalState {
    .beginState(id: id)
  }
  // os/ossignposter/endinterval(_:_:)
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  // os/ossignposter/emitevent(_:id:_:)
  public func emitEvent(_ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata) {}
}
