#if os(macOS) || os(Linux)
  @testable import WebServicesDoubles

  /// A child process with pipes to its standard input and output. Read its first line, and `stop()` it in the end.
  /// Foundation's `Process` would keep a thread and descriptors after the child has exited.
  final class HelperProcess: Sendable {
    private let process: pid_t
    /// The writing end of the child's input; `nil` once it is closed.
    private let input: Locked<Int32?>
    private let output: Int32
    /// Held while the child is stopped, so that a second `stop()` waits for the first.
    private let isRunning = Locked(true)

    /// Starts an executable. A name without a slash is searched in `PATH`.
    init(_ executable: String, _ arguments: [String]) throws {
      let stdin = try System.makePipe()
      let stdout: (reading: Int32, writing: Int32)
      do {
        stdout = try System.makePipe()
      } catch {
        [stdin.reading, stdin.writing].forEach(System.closeDescriptor)
        throw error
      }
      // Python's warnings and tracebacks would appear in the output of the tests.
      let result = Result {
        try Self.spawn(
          executable, arguments, streams: [.descriptor(stdin.reading), .descriptor(stdout.writing), .file("/dev/null")])
      }
      // The child has its own copies. The pipe of its output ends only if nobody else holds the writing end.
      [stdin.reading, stdout.writing].forEach(System.closeDescriptor)
      input = Locked(stdin.writing)
      output = stdout.reading
      switch result {
      case .success(let id): process = id
      case .failure(let error):
        [stdin.writing, output].forEach(System.closeDescriptor)
        throw error
      }
    }

    deinit {
      stop()
    }

    /// Reads the child's first line; `nil` if the child ends or the timeout passes before.
    func firstLine(timeout: Double) -> String? {
      guard isRunning.withLock({ $0 }) else { return nil }
      let deadline = MonotonicTime.seconds + timeout
      var line: [UInt8] = []
      while true {
        var entries = [PollEntry(fd: output, events: System.readable, revents: 0)]
        System.poll(&entries, timeout: max(0, deadline - MonotonicTime.seconds))
        // A signal ends `poll` early.
        guard entries[0].revents != 0 || MonotonicTime.seconds < deadline else { return nil }
        var byte: UInt8 = 0
        let count = read(output, &byte, 1)
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        guard count == 1 else { return nil }
        if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
        line.append(byte)
      }
    }

    /// The port that a server in the child prints once it listens.
    func port() throws -> UInt16 { try #require(firstLine(timeout: 30).flatMap(UInt16.init)) }

    /// Closes the child's input, which also happens when this process dies.
    func closeInput() {
      input.withLock { input in
        if let descriptor = input { System.closeDescriptor(descriptor) }
        input = nil
      }
    }

    /// Stops the child and waits for its exit.
    func stop() {
      isRunning.withLock { isRunning in
        guard isRunning else { return }
        isRunning = false
        closeInput()
        System.closeDescriptor(output)
        kill(process, SIGKILL)
        var status: Int32 = 0
        // Without the wait the child would stay as a zombie.
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
    }

    /// A standard stream of a child.
    enum Stream {
      case descriptor(Int32)
      case file(String)
    }

    /// Starts an executable with these standard streams. A name without a slash is searched in `PATH`. The caller waits
    /// for its exit.
    static func spawn(
      _ executable: String, _ arguments: [String],
      environment: [String: String] = ProcessInfo.processInfo.environment, streams: [Stream]
    ) throws -> pid_t {
      #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
      #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (number, stream) in streams.enumerated() {
        switch stream {
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        case .file(let path): posix_spawn_file_actions_addopen(&actions, Int32(number), path, O_RDWR | O_NOCTTY, 0)
        }
      }
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // The child would inherit the signals that a thread of Dispatch blocks.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      var process: pid_t = 0
      let code = withCStrings([executable] + arguments) { arguments in
        withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
          posix_spawnp(&process, executable, &actions, &attributes, arguments, environment)
        }
      }
      guard code == 0 else { throw SystemError("posix_spawn", code: code) }
      return process
    }

    private static func withCStrings<Result>(
      _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
      // `posix_spawn` takes mutable strings, and an array that ends with a null pointer.
      let copies = strings.map { strdup($0) }
      defer { copies.forEach { free($0) } }
      return body(copies + [nil])
    }
  }
#endif
