import Foundation

/// The differences between the C libraries of Apple's systems, Glibc and Musl.
extension System {
  #if canImport(Darwin)
    /// The event of a client that has closed its sending direction. Only Linux has the event.
    static let peerEnded: Int16 = 0
    static let sendFlags: Int32 = 0

    /// Keeps `send` and `write` from raising SIGPIPE. Linux needs a flag of `send` instead.
    static func preventSignal(_ descriptor: Int32) { setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, to: Int32(1)) }

    /// Sends a reset at once, which only Linux does. Elsewhere `close` sends it.
    static func disconnect(_ descriptor: Int32) {}
  #else
    /// The event of a client that has closed its sending direction: POLLRDHUP, which needs _GNU_SOURCE. A connection
    /// that isn't reading waits for this event.
    static let peerEnded: Int16 = 0x2000
    static let sendFlags = Int32(MSG_NOSIGNAL)

    static func preventSignal(_ descriptor: Int32) {}

    /// Sends a reset at once, although a process that another thread is just starting has a copy of the descriptor.
    static func disconnect(_ descriptor: Int32) {
      var address = sockaddr()
      address.sa_family = sa_family_t(AF_UNSPEC)
      _ = connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
  #endif
}
