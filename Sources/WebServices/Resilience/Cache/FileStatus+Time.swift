import Foundation

extension stat {
  /// When the file was last written, in microseconds since 1970. The one fact of a file that has another name on every
  /// system.
  var modificationTime: Int64 {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
