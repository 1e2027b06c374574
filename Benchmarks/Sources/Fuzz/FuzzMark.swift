package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A number in a memory-mapped file: `set` it before each input, and read `value` after a crash. The number survives a
/// crash of the process and costs only a memory write.
package final class FuzzMark: @unchecked Sendable {
  // Only one thread writes, and an aligned word is written and read atomically.
  private let place: UnsafeMutablePointer<Int>

  package init(_ url: URL) throws {
    let size = MemoryLayout<Int>.size
    if (try? Data(contentsOf: url))?.count != size { try Data(count: size).write(to: url) }
    let file = open(url.path, O_RDWR)
    defer { close(file) }
    guard file >= 0, let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
    else {
      throw CocoaError(.fileReadUnknown)
    }
    place = memory.bindMemory(to: Int.self, capacity: 1)
  }

  deinit {
    munmap(place, MemoryLayout<Int>.size)
  }

  package var value: Int { place.pointee }

  package func set(_ value: Int) { place.pointee = value }
}
