#if canImport(os)
  import os

  extension RequestLog {
    /// A log that writes to the system's, where Console and `log` show it.
    ///
    /// - Parameters:
    ///   - subsystem: whose log it is, in reverse domain notation.
    ///   - category: which part of it.
    ///   - level: the least that is written; `nil` is silence.
    public static func system(
      subsystem: String, category: String = "WebServices", level: Level? = .info
    ) -> RequestLog {
      let logger = Logger(subsystem: subsystem, category: category)
      return RequestLog(level: level) { entry in
        // The entry has been redacted; without `public` nothing of it could be read.
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
