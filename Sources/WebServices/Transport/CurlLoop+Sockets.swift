#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The state of one socket in `CurlLoop`.
  struct CurlSocket {
    /// The events that libcurl waits for; 0 for none.
    var wanted = 0
    /// The events that the poller watches; 0 if it doesn't know the descriptor.
    var watched = 0
    /// Whether the descriptor is in `changed`.
    var isChanged = false
    /// Whether the loop opened the descriptor, and so learns when libcurl closes it.
    var isOwn = false
    /// Whether libcurl keeps the connection between two HTTP/1 transfers.
    var isKept = false
    /// The handle whose transfer uses it; of several that share a connection, the last that libcurl named.
    var handle: CurlHandle?

    /// The events that the poller has to watch.
    var interest: Int { isKept ? Int(curlPollIn) : wanted }
  }

  /// The descriptors that libcurl wants watched.
  ///
  /// For each transfer libcurl asks to watch its connection and later to stop. The poller goes on watching an own
  /// connection between two transfers, which saves calls of the system and shows when a kept connection ends.
  extension CurlLoop {
    /// Opens a socket for libcurl; -1 on failure.
    func openSocket(_ address: CurlShimAddress) -> Int32 {
      // A child process must not inherit the connection.
      let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.family, address.type | closeOnExec, address.protocol)
      guard descriptor >= 0 else { return -1 }
      makeRoom(for: descriptor)
      sockets[Int(descriptor)] = CurlSocket(isChanged: sockets[Int(descriptor)].isChanged, isOwn: true)
      return descriptor
    }

    /// Closes a socket for libcurl. The poller forgets it first, because the system gives its number to the next
    /// socket.
    func closeSocket(_ descriptor: Int32) -> Int32 {
      if sockets.indices.contains(Int(descriptor)) {
        unwatch(descriptor)
        setKept(false, descriptor)
        sockets[Int(descriptor)] = CurlSocket(isChanged: sockets[Int(descriptor)].isChanged)
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
        // Nothing tells when libcurl closes such a descriptor, whose number the system then gives out again.
        if !sockets[index].isOwn { unwatch(descriptor) }
        return
      }
      setKept(false, descriptor)
      sockets[index].wanted = what & (curlPollIn | curlPollOut)
      let handle = CurlCallbacks.handle(of: easy)
      handle?.transfer?.isWatched = true
      sockets[index].handle = handle
      noteInterest(in: descriptor)
    }

    /// Lets libcurl continue with a descriptor that is ready.
    func handle(_ mask: Int32, on descriptor: Int32) {
      let index = Int(descriptor)
      guard sockets.indices.contains(index) else { return }
      guard sockets[index].wanted != 0 else {
        // The poller would report it again and again.
        return sockets[index].isKept ? endSpoiled(descriptor) : unwatch(descriptor)
      }
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

    /// Tells the poller the events that it has to watch. Until then it may watch others, which only wake the thread.
    func watchChanged() {
      for descriptor in changed {
        let index = Int(descriptor)
        sockets[index].isChanged = false
        let (interest, watched) = (sockets[index].interest, sockets[index].watched)
        guard interest != 0, interest != watched else { continue }
        sockets[index].watched = poller.watch(descriptor, for: interest, isKnown: watched != 0) ? interest : 0
      }
      changed.removeAll(keepingCapacity: true)
    }

    private func noteInterest(in descriptor: Int32) {
      let socket = sockets[Int(descriptor)]
      guard !socket.isChanged, socket.interest != socket.watched else { return }
      sockets[Int(descriptor)].isChanged = true
      changed.append(descriptor)
    }

    private func unwatch(_ descriptor: Int32) {
      guard sockets[Int(descriptor)].watched != 0 else { return }
      sockets[Int(descriptor)].watched = 0
      _ = poller.watch(descriptor, for: 0, isKnown: true)
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
      if socket.isOwn, socket.wanted == 0 { setKept(true, descriptor) }
    }

    private func setKept(_ isKept: Bool, _ descriptor: Int32) {
      guard sockets[Int(descriptor)].isKept != isKept else { return }
      sockets[Int(descriptor)].isKept = isKept
      keptCount += isKept ? 1 : -1
      if isKept { noteInterest(in: descriptor) }
    }

    /// Takes no connection for a kept one until its next transfer has ended.
    func forgetKeptConnections() {
      guard keptCount > 0 else { return }
      for index in sockets.indices { sockets[index].isKept = false }
      keptCount = 0
    }

    /// Ends the kept connections on which bytes have arrived. Called before libcurl chooses a connection.
    func endSpoiledConnections() {
      guard keptCount > 0 else { return }
      watchChanged()
      var ready = [CurlShimReady](repeating: CurlShimReady(), count: CurlPoller.batch)
      // The poller returns other descriptors in each call, so all of them are seen.
      for _ in 0...sockets.count / CurlPoller.batch {
        let count = poller.wait(&ready, until: 0)
        for entry in ready[..<count] where isKept(entry.descriptor) { endSpoiled(entry.descriptor) }
        if count < CurlPoller.batch { return }
      }
    }

    private func isKept(_ descriptor: Int32) -> Bool {
      sockets.indices.contains(Int(descriptor)) && sockets[Int(descriptor)].isKept
    }

    /// Ends a kept connection on which bytes have arrived, or which the server has ended.
    private func endSpoiled(_ descriptor: Int32) {
      setKept(false, descriptor)
      // Dropping only these bytes would not help, because more may follow. `shutdown` leaves them unread, which hides the
      // end from libcurl 7.88. It is the fallback if no descriptor is left.
      if curlShimSocketEndInPlace(descriptor) {
        // Closing the old connection has removed it from the poller.
        sockets[Int(descriptor)].watched = 0
      } else {
        unwatch(descriptor)
        shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }
#endif
