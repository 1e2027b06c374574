#if canImport(os)
  import os

  extension RequestLog {
    /// A log that writes to the system's log, where Console and `log` show the entries.
    ///
    /// - Parameters:
    ///   - subsystem: the app or framework that writes, in reverse domain notation.
    ///   - category: the part of the subsystem.
    ///   - level: the lowest level that is written; `nil` writes nothing.
    public static func system(
      subsystem: String, category: String = "WebServices", level: Level? = .info
    ) -> RequestLog {
      let logger = Logger(subsystem: subsystem, category: category)
      return RequestLog(level: level) { entry in
        // The entry has no secrets. Without `public` the system would hide all of it.
        logger.log(level: entry.level.systemType, "\(entry.description, privacy: .public)")
      }
    }
  }

  extension RequestLog.Level {
    fileprivate var systemType: OSLogType {
      switch self {
      case .debug: .debug
      case .info: .info
      case .notice: .default
      case .error: .error
      }
    }
  }
#endif
