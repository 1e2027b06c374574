#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The state of one socket in `CurlLoop`: which events libcurl waits for, and which events the poller watches.
  struct CurlSocket {
    /// The events that libcurl waits for; 0 for none.
    var wanted = 0
    var isWanted: Bool { wanted != 0 }
    /// Whether the descriptor is in `listed`.
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
  /// For each transfer libcurl asks to watch its connection and later to stop. While a thread drives, it asks the
  /// descriptors itself. Only when none of them is ready does the poller watch them, which notifies one thread once, so
  /// that one event doesn't wake two threads.
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
      guard !sockets[index].isListed else { return }
      sockets[index].isListed = true
      listed.append(descriptor)
    }

    /// Lets libcurl continue with descriptors that are ready.
    func handle(_ ready: some Sequence<CurlShimReady>) {
      now = CurlLoop.readClock()
      for event in ready { handle(event.mask, on: event.descriptor) }
    }

    /// Notes that the poller has notified a thread, and doesn't watch the descriptor any more.
    func disarm(_ descriptor: Int32) {
      if sockets.indices.contains(Int(descriptor)) { sockets[Int(descriptor)].isArmed = false }
    }

    private func handle(_ mask: Int32, on descriptor: Int32) {
      disarm(descriptor)
      let index = Int(descriptor)
      guard sockets.indices.contains(index), sockets[index].isWanted else { return }
      if let transfer = sockets[index].handle?.transfer, ownsConnection(transfer) { transfer.lastActivity = now }
      continueLibcurl(on: descriptor, mask)
    }

    /// Lets libcurl continue with a ready descriptor, and choose connections for the requests that were added since.
    func continueLibcurl(on descriptor: Int32, _ mask: Int32) {
      if isChoosing {
        isChoosing = false
        endSpoiledConnections()
      }
      curlShimMultiSocketAction(multi, descriptor, mask)
    }

    /// Lets libcurl continue with the descriptors that are ready, or makes the poller watch them all.
    ///
    /// All are asked, and not only those that libcurl has used in this turn: a thread that always finds something ready
    /// there would keep the others waiting. If there are too many to ask, those that the poller watches are left to it.
    ///
    /// - Parameter canAsk: whether to ask before the poller watches, which would wake another thread for them.
    /// - Returns: whether something was ready.
    func handleReady(canAsk: Bool) -> Bool {
      updateListed()
      let areMany = listed.count > CurlLoop.mostAsked
      var asked: [CurlShimReady] = []
      for descriptor in listed where !areMany || !isWatched(descriptor) {
        asked.append(CurlShimReady(descriptor: descriptor, mask: Int32(sockets[Int(descriptor)].wanted)))
      }
      let isReady =
        canAsk && (1...CurlLoop.mostAsked).contains(asked.count) && curlShimPollNow(&asked, Int32(asked.count)) > 0
      for entry in asked where !isReady || areMany && entry.mask == 0 { arm(entry.descriptor) }
      if isReady { handle(asked.filter { $0.mask != 0 }) }
      return isReady
    }

    /// Removes the descriptors that libcurl no longer waits for. The system may have given a number out again, so that
    /// it is listed twice.
    private func updateListed() {
      for descriptor in listed { sockets[Int(descriptor)].isListed = false }
      listed.removeAll { descriptor in
        let index = Int(descriptor)
        let isKept = sockets[index].isWanted && !sockets[index].isListed
        sockets[index].isListed = isKept
        return !isKept
      }
    }

    /// The most descriptors of one `curlShimPollNow`.
    static var mostAsked: Int { 64 }

    /// Whether the poller will notify a thread of the events that libcurl waits for.
    private func isWatched(_ descriptor: Int32) -> Bool {
      let socket = sockets[Int(descriptor)]
      return socket.isArmed && socket.watched == socket.wanted
    }

    /// Makes the poller watch a descriptor until it has notified one thread.
    private func arm(_ descriptor: Int32) {
      guard !isWatched(descriptor) else { return }
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
