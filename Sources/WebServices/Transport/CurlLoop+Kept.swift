#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Connections that libcurl keeps between two HTTP/1 transfers.
  ///
  /// A server has nothing to say there. What comes all the same (a response that nobody asked for, a 408, the end of TLS)
  /// would be read as the response to the next request. libcurl looks for that since version 8.0 only.
  extension CurlLoop {
    /// Notes the connection that a transfer has left open. HTTP/2 connections are left out: the server may say something
    /// at any time there, and libcurl reads it before it uses the connection again.
    func noteKeptConnection(of handle: CurlHandle) {
      guard !handle.usesHTTP2 else { return }
      let descriptor = curlShimEasyKeptSocket(handle.easy)
      guard sockets.indices.contains(Int(descriptor)) else { return }
      let socket = sockets[Int(descriptor)]
      // A wanted one is in use again.
      if socket.isOwn, !socket.isWanted { kept.insert(descriptor) }
    }

    /// Ends the kept connections on which something has come. To be called before libcurl chooses a connection.
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
        // To drop only what has come would leave room for what comes next.
        if !curlShimSocketEndInPlace(entry.descriptor) { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
        sockets[Int(entry.descriptor)].watched = 0
        sockets[Int(entry.descriptor)].isArmed = false
      }
    }
  }
#endif
