#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The state of one socket in `CurlLoop`.
  struct CurlSocket {
    /// The events that libcurl waits for; 0 for none.
    var wanted = 0
    /// The events that the poller reports.
    var watched = 0
    /// How often in a row the descriptor was ready to be written, and libcurl moved no byte of a body.
    var vainWrites = 0
    /// The version of HTTP on this own connection while libcurl keeps it between two transfers; 0 otherwise.
    var keptHTTP = 0
    /// The number of the connection, because the system gives a closed descriptor's number out again. 0 if the loop
    /// hasn't opened the descriptor, and so doesn't learn when libcurl closes it.
    var connection = 0
    /// The handle whose transfer uses it; of several that share a connection, the last that libcurl named.
    var handle: CurlHandle?
    typealias Addresses = (local: String?, remote: String?)
    /// The two ends of an own connection, once they are known.
    var addresses: Addresses?

    /// The events that the poller has to report. Between two transfers the watch stays as it is: the next transfer
    /// needs it again, and an event that nobody waits for ends it. Over HTTP/2, libcurl 7.88 wants to write also while
    /// the server takes no more of a body. libcurl 8.5 wants to read also while a transfer is paused, and then reads.
    var needed: Int {
      guard wanted == 0 else { return wanted & ~vain }
      return switch keptHTTP {
      case 0: watched
      case 1: curlPollIn
      default: curlPollEnd
      }
    }
    private var vain: Int { (isHeldUp ? curlPollOut : 0) | (handle?.transfer?.holdsBack == true ? curlPollIn : 0) }
    /// The limit leaves room for a long head, whose bytes aren't counted.
    var isHeldUp: Bool { vainWrites >= 32 }
  }

  /// The descriptors that libcurl wants watched. The poller reports a descriptor as long as it is ready.
  extension CurlLoop {
    /// Opens a socket for libcurl; -1 on failure.
    func openSocket(_ address: CurlShimAddress, for handle: CurlHandle) -> Int32 {
      guard handle.mayConnect() else { return -1 }
      let descriptor = curlShimSocketOpen(address)
      handle.socketError = descriptor < 0 ? errno : 0
      guard descriptor >= 0 else { return -1 }
      makeRoom(for: descriptor)
      (lastConnection, openCount) = (lastConnection + 1, openCount + 1)
      sockets[Int(descriptor)] = CurlSocket(connection: lastConnection)
      return descriptor
    }

    /// Closes a socket for libcurl. The poller forgets a closed socket by itself, but not while a process that another
    /// thread is just starting has a copy.
    func closeSocket(_ descriptor: Int32) -> Int32 {
      _ = curlShimPollerWatch(poller.descriptor, descriptor, 0)
      if sockets.indices.contains(Int(descriptor)) { sockets[Int(descriptor)] = CurlSocket() }
      openCount -= 1
      return close(descriptor)
    }

    /// libcurl tells which events it waits for on a descriptor.
    func watch(_ descriptor: Int32, for what: Int, easy: UnsafeMutableRawPointer) {
      guard descriptor >= 0 else { return }
      makeRoom(for: descriptor)
      let index = Int(descriptor)
      guard what != curlPollRemove else {
        sockets[index].wanted = 0
        // Nothing tells when libcurl closes a descriptor that isn't own, whose number the system then gives out again.
        if sockets[index].connection == 0 { endWatch(of: descriptor) }
        // libcurl 7.88 tries a host's next address only in its next call, and may set no time for that.
        if let transfer = sockets[index].handle?.transfer, isConnecting(transfer) { interrupted.append(transfer) }
        sockets[index].handle = nil
        return
      }
      (sockets[index].keptHTTP, sockets[index].vainWrites) = (0, 0)
      sockets[index].wanted = what & (curlPollIn | curlPollOut)
      let handle = CurlHandle.of(easy)
      if sockets[index].connection != 0 { handle?.watched = (descriptor, sockets[index].connection) }
      sockets[index].handle = handle
      changed.append(descriptor)
    }

    /// Lets libcurl continue with a descriptor that is ready.
    func handle(_ mask: Int32, on descriptor: Int32) {
      let index = Int(descriptor)
      guard sockets.indices.contains(index) else { return }
      guard sockets[index].wanted != 0 else { return endWatch(of: descriptor) }
      let transfer = sockets[index].handle?.transfer
      if let transfer, ownsConnection(transfer) { transfer.lastActivity = now }
      // Any other event may be the server's permission to send more. A handle without a transfer has shared its
      // connection. Where none is shared, nothing tells which bytes libcurl has sent.
      isVain = mask == curlSelectOut && transfer.map(mayMultiplex) ?? true
      continueLibcurl(on: descriptor, mask)
      sockets[index].vainWrites = isVain ? sockets[index].vainWrites + 1 : 0
      changed.append(descriptor)
      if let transfer, transfer.respondsWhilePaused { proceed(with: transfer, in: curlPauseSending) }
    }

    /// Nobody waits for the event. A kept connection has ended, or is spoiled; see below. Another descriptor is watched
    /// again when libcurl wants it, such as one whose transfer is paused.
    ///
    /// - Parameter ended: a transfer that has ended on the connection.
    private func endWatch(of descriptor: Int32, after ended: CurlTransfer? = nil) {
      sockets[Int(descriptor)].watched = 0
      _ = curlShimPollerWatch(poller.descriptor, descriptor, 0)
      let version = sockets[Int(descriptor)].keptHTTP
      guard version != 0 else { return }
      (sockets[Int(descriptor)].keptHTTP, lastKeptEnd) = (0, now)
      reap()
      // libcurl may have given the connection to the next transfer before the loop knew of the end of the last one.
      // While the receiver pauses the next one, libcurl wants no event for it, and may not even have named its
      // descriptor.
      let isUsed = transfers.contains {
        $0 !== ended && $0.head.version == version && [-1, descriptor].contains($0.handle?.watched.descriptor)
      }
      // The number gets another socket, which the poller doesn't know. Dropping only the bytes would not help, because
      // more may follow. `shutdown` leaves them unread, which hides the end from libcurl 7.88. It is the fallback if no
      // descriptor is left.
      if !isUsed, !curlShimSocketEndInPlace(descriptor) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Lets libcurl continue with a ready descriptor, and choose connections for the requests that were added since.
    func continueLibcurl(on descriptor: Int32, _ mask: Int32) {
      if isChoosing {
        isChoosing = false
        // The connections of the transfers that have ended in this turn are kept ones, too.
        reap()
        // Bytes have arrived on a kept connection, or the server has ended it.
        forEachReady { if $0.descriptor >= 0, sockets[Int($0.descriptor)].wanted == 0 { endWatch(of: $0.descriptor) } }
      }
      curlShimMultiSocketAction(multi, descriptor, mask)
    }

    /// Ends the shared connection of a transfer that ends early, if nothing arrives at its other end any more, as after
    /// a change of the network. libcurl would send requests over such a connection for a quarter of an hour.
    func endDeadConnection(of transfer: CurlTransfer) {
      guard let handle = transfer.handle, !ownsConnection(transfer) else { return }
      // A server that hangs still acknowledges bytes, as a slow one does. libcurl closes its connection if no other
      // transfer uses it.
      if !transfer.head.hasBegun, transfer.lastActivity + 1_000_000_000 <= now { handle.set(curlOptionForbidReuse, 1) }
      let port = handle.long(curlInformationLocalPort)
      for descriptor in sockets.indices where sockets[descriptor].connection != 0 && port != 0 {
        if curlShimSocketUnansweredPort(Int32(descriptor)) == port { shutdown(Int32(descriptor), Int32(SHUT_RDWR)) }
      }
    }

    /// Tells the poller the events that it has to report next.
    func watchChanged() {
      for descriptor in changed {
        let index = Int(descriptor)
        let needed = sockets[index].needed
        guard needed != sockets[index].watched else { continue }
        sockets[index].watched = curlShimPollerWatch(poller.descriptor, descriptor, Int32(needed)) ? needed : 0
      }
      // The others may get their event back without an event; see `setTimer`.
      changed.removeAll { !sockets[Int($0)].isHeldUp }
    }

    /// Passes on the descriptors that are ready, also since the last wait.
    func forEachReady(_ body: (CurlShimReady) -> Void) {
      watchChanged()
      // The poller tells a batch at a time, and next time the others.
      for _ in 0...openCount / CurlPoller.batch {
        let count = poller.wait(&found, until: 0)
        found[..<count].forEach(body)
        guard count == CurlPoller.batch else { return }
      }
    }

    private func makeRoom(for descriptor: Int32) {
      while sockets.count <= Int(descriptor) { sockets.append(CurlSocket()) }
    }

    // MARK: Connections that are kept between two transfers

    // No request is in progress there, so a server should send nothing. Over HTTP/1 it may still send a response that
    // nobody requested, a 408, or the end of TLS. libcurl 7.88 would read such bytes as the response to the next
    // request, because it takes the connection for alive. libcurl 8.0 checks for them.
    //
    // An HTTP/2 server may send frames at any time. Before the next request, libcurl reads the first of them only, so
    // that it misses the end of the connection behind them.

    /// Notes the connection that a transfer has left open.
    func noteKeptConnection(of handle: CurlHandle) {
      let (named, connection) = handle.watched
      let isNamed = named >= 0 && sockets[Int(named)].connection == connection
      // libcurl looks at all its connections to find the one of a transfer that it ended at once, or of a closed
      // socket.
      let descriptor = isNamed ? named : curlShimEasyKeptSocket(handle.easy)
      guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].connection != 0 else { return }
      handle.descriptor = Int(descriptor)
      // Another transfer uses the connection already if libcurl wants its events.
      guard sockets[Int(descriptor)].wanted == 0, let transfer = handle.transfer else { return }
      sockets[Int(descriptor)].keptHTTP = transfer.head.version
      if handle.hasUnreadTLS || transfer.head.isFaulty { return endWatch(of: descriptor, after: transfer) }
      changed.append(descriptor)
    }

    /// The two ends of a transfer's connection. They are the same for all transfers on it.
    func addresses(of handle: CurlHandle) -> CurlSocket.Addresses {
      if let index = handle.descriptor, let known = sockets[index].addresses { return known }
      let local = handle.address(curlInformationLocalAddress, curlInformationLocalPort)
      let remote = handle.address(curlInformationRemoteAddress, curlInformationRemotePort)
      if let index = handle.descriptor { sockets[index].addresses = (local, remote) }
      return (local, remote)
    }
  }
#endif
