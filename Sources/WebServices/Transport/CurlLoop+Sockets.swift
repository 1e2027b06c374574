#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The state of one socket in `CurlLoop`: which events libcurl waits for, and which events the poller watches.
  struct CurlSocket {
    /// The events that libcurl waits for; 0 for none.
    var wanted = 0
    var isWanted: Bool { wanted != 0 }
    /// Whether the descriptor is in `unwatched`.
    var isListed = false
    /// The events that the poller watches; 0 if it doesn't know the descriptor.
    var watched = 0
    /// Whether the poller still watches. It stops after it has notified one thread (EPOLLONESHOT).
    var isArmed = false
    /// Whether the loop opened the descriptor, and so learns when libcurl closes it.
    var isOwn = false
    /// The handle whose transfer uses it; of several that share a connection, the last that libcurl named.
    var handle: CurlHandle?
  }

  /// The descriptors that libcurl wants watched.
  ///
  /// For each transfer libcurl asks to watch its connection and later to stop. The poller notifies one thread once. It
  /// is armed again at the end of a turn unless something is ready, so that one event doesn't wake two threads.
  extension CurlLoop {
    /// Opens a socket for libcurl; -1 on failure.
    func openSocket(_ address: CurlShimAddress) -> Int32 {
      // A child process must not inherit the connection.
      let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.family, address.type | closeOnExec, address.protocol)
      guard descriptor >= 0 else { return -1 }
      makeRoom(for: descriptor)
      sockets[Int(descriptor)] = CurlSocket(isOwn: true)
      return descriptor
    }

    /// Closes a socket for libcurl. The poller forgets it first, because the system gives its number to the next
    /// socket.
    func closeSocket(_ descriptor: Int32) -> Int32 {
      if sockets.indices.contains(Int(descriptor)) {
        unwatch(descriptor)
        sockets[Int(descriptor)] = CurlSocket()
        kept.remove(descriptor)
      }
      return close(descriptor)
    }

    /// libcurl tells which events it waits for on a descriptor.
    func watch(_ descriptor: Int32, for what: Int, easy: UnsafeMutableRawPointer) {
      guard descriptor >= 0 else { return }
      makeRoom(for: descriptor)
      let index = Int(descriptor)
      guard what != curlPollRemove else {
        sockets[index].wanted = 0
        sockets[index].handle = nil
        // Between two transfers an own descriptor stays known to the poller, which saves calls of the system.
        // `closeSocket` removes it. If it is armed, it would wake a thread for nothing.
        if !sockets[index].isOwn || sockets[index].isArmed { unwatch(descriptor) }
        return
      }
      if !kept.isEmpty { kept.remove(descriptor) }
      sockets[index].wanted = what & (curlPollIn | curlPollOut)
      let handle = CurlCallbacks.handle(of: easy)
      handle?.transfer?.isWatched = true
      sockets[index].handle = handle
      watchAfterTurn(descriptor)
    }

    /// Lets libcurl continue with descriptors that are ready.
    func handle(_ ready: some Sequence<CurlShimReady>) {
      now = CurlLoop.readClock()
      for event in ready { handle(event.mask, on: event.descriptor) }
    }

    private func handle(_ mask: Int32, on descriptor: Int32) {
      let index = Int(descriptor)
      guard sockets.indices.contains(index) else { return }
      sockets[index].isArmed = false
      guard sockets[index].isWanted else { return }
      if let transfer = sockets[index].handle?.transfer, ownsConnection(transfer) { transfer.lastActivity = now }
      continueLibcurl(on: descriptor, mask)
      watchAfterTurn(descriptor)
    }

    /// Lets libcurl continue with a ready descriptor, and choose connections for the requests that were added since.
    func continueLibcurl(on descriptor: Int32, _ mask: Int32) {
      if isChoosing {
        isChoosing = false
        endSpoiledConnections()
      }
      curlShimMultiSocketAction(multi, descriptor, mask)
    }

    /// Notes a descriptor for the end of the turn. Until then libcurl may change its mind several times.
    private func watchAfterTurn(_ descriptor: Int32) {
      let socket = sockets[Int(descriptor)]
      guard socket.isWanted, !socket.isListed, !socket.isArmed || socket.watched != socket.wanted else { return }
      sockets[Int(descriptor)].isListed = true
      unwatched.append(descriptor)
    }

    /// Makes the poller watch the descriptors that libcurl waits for.
    ///
    /// - Parameter pollingFirst: whether to check first which are ready already, and to handle them on this thread. The
    ///   poller would wake another thread for them.
    /// - Returns: whether something was ready.
    func watchDescriptors(pollingFirst: Bool) -> Bool {
      guard !unwatched.isEmpty else { return false }
      var asked = unwatched.map { CurlShimReady(descriptor: $0, mask: Int32(sockets[Int($0)].wanted)) }
      unwatched.removeAll(keepingCapacity: true)
      for entry in asked { sockets[Int(entry.descriptor)].isListed = false }
      asked.removeAll { !sockets[Int($0.descriptor)].isWanted }
      let canPoll = pollingFirst && (1...CurlLoop.mostAsked).contains(asked.count)
      let isReady = canPoll && curlShimPollNow(&asked, Int32(asked.count)) > 0
      for entry in asked where !isReady || entry.mask == 0 { arm(entry.descriptor) }
      if isReady { handle(asked.filter { $0.mask != 0 }) }
      return isReady
    }

    /// The most descriptors of one `curlShimPollNow`.
    static var mostAsked: Int { 64 }

    /// Makes the poller watch a descriptor until it has notified one thread.
    private func arm(_ descriptor: Int32) {
      let socket = sockets[Int(descriptor)]
      let isDone = curlShimPollerWatch(waker.poller, descriptor, Int32(socket.wanted), socket.watched != 0)
      sockets[Int(descriptor)].watched = isDone ? socket.wanted : 0
      sockets[Int(descriptor)].isArmed = isDone
    }

    private func unwatch(_ descriptor: Int32) {
      guard sockets[Int(descriptor)].watched != 0 else { return }
      sockets[Int(descriptor)].watched = 0
      sockets[Int(descriptor)].isArmed = false
      _ = curlShimPollerWatch(waker.poller, descriptor, 0, true)
    }

    private func makeRoom(for descriptor: Int32) {
      while sockets.count <= Int(descriptor) { sockets.append(CurlSocket()) }
    }
  }

  /// Connections that libcurl keeps between two HTTP/1 transfers.
  ///
  /// No request is in progress there, so a server should send nothing. It may still send a response that nobody
  /// requested, a 408, or the end of TLS. libcurl 7.88 would read such bytes as the response to the next request,
  /// because it takes the connection for alive. libcurl 8.0 checks for them.
  extension CurlLoop {
    /// Notes the connection that a transfer has left open. An HTTP/2 server may send frames at any time, and libcurl
    /// reads them before it uses the connection again. Such connections are left out.
    func noteKeptConnection(of handle: CurlHandle) {
      guard !handle.usesHTTP2 else { return }
      let descriptor = curlShimEasyKeptSocket(handle.easy)
      guard sockets.indices.contains(Int(descriptor)) else { return }
      let socket = sockets[Int(descriptor)]
      // Another transfer uses the connection already if libcurl wants its events.
      if socket.isOwn, !socket.isWanted { kept.insert(descriptor) }
    }

    /// Ends the kept connections on which bytes have arrived. Called before libcurl chooses a connection.
    func endSpoiledConnections() {
      guard !kept.isEmpty else { return }
      var asked: [CurlShimReady] = []
      for descriptor in kept {
        asked.append(CurlShimReady(descriptor: descriptor, mask: Int32(curlPollIn)))
        if asked.count == CurlLoop.mostAsked { endSpoiled(&asked) }
      }
      endSpoiled(&asked)
    }

    private func endSpoiled(_ asked: inout [CurlShimReady]) {
      defer { asked.removeAll(keepingCapacity: true) }
      guard !asked.isEmpty, curlShimPollNow(&asked, Int32(asked.count)) > 0 else { return }
      for entry in asked where entry.mask != 0 {
        kept.remove(entry.descriptor)
        // Dropping only these bytes would not help, because more may follow. `shutdown` leaves them unread, which hides
        // the end from libcurl 7.88. It is the fallback if no descriptor is left.
        if !curlShimSocketEndInPlace(entry.descriptor) { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
        // Closing the old connection has removed it from the poller.
        sockets[Int(entry.descriptor)].watched = 0
        sockets[Int(entry.descriptor)].isArmed = false
      }
    }
  }
#endif
