import Foundation

/// Prints everything that isn't a result.
enum StandardError {
  static func write(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
