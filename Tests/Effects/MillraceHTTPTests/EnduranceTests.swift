#if os(Linux)
import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Memory, threads and descriptors stay bounded.
@Suite(.serialized, .timeLimit(.minutes(30))) struct EnduranceTests {
  /// Prints the figures of a test that runs in a process of its own.
  private static func show(_ result: ExitTest.Result?) {
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
  }

  @Test("requests that are cancelled leave nothing behind")
  func cancels() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let count = TestSize.count(200, full: 10_000)
      let server = try LoopbackServer { connection in
        if connection.readHead() != nil { connection.waitForClose() }
      }
      var (descriptors, most) = (0, 0)
      do {
        let client = HTTPClient()
        let first = Task { try await client.load(HTTPRequest(server.url("/first"), timeout: nil)) }
        try await eventually { ProcessFacts.httpThreads == 1 }
        first.cancel()
        _ = await first.result
        for number in 0..<count {
          let loading = Task { try await client.load(HTTPRequest(server.url("/\(number)"), timeout: nil)) }
          for _ in 0..<number % 40 { await Task.yield() }
          loading.cancel()
          _ = await loading.result
          if number == 99 { descriptors = ProcessFacts.descriptors }
          // The next thread begins when one has nothing to do. The system may be slow to remove that one.
          try await eventually { ProcessFacts.httpThreads <= 2 }
          most = max(most, ProcessFacts.httpThreads)
        }
      }
      try await server.allClosed()
      await server.stop()
      try await eventually { ProcessFacts.descriptors <= descriptors + 8 }
      try await eventually { ProcessFacts.httpThreads == 0 }
      print(
        """
        \(count) cancels: \(most) threads of HTTP at most, \(ProcessFacts.peakMegabytes) MiB at most, \
        \(descriptors) descriptors after 100 cancels, \(ProcessFacts.descriptors) at the end
        """)
      exit(most <= 2 && (ProcessFacts.peakMegabytes < 200 || ProcessFacts.needsMoreMemory) ? 0 : 1)
    }
    Self.show(result)
  }

  @Test("downloads take memory that does not grow with them")
  func downloads() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let (count, size) = TestSize.isFull ? (200, 50 << 20) : (6, 10 << 20)
      let server = try LoopbackServer { connection in
        guard connection.readHead() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        let part = [UInt8](repeating: 65, count: 1 << 20)
        for _ in 0..<size >> 20 where connection.write(part) {}
      }
      let folder = try TemporaryFolder()
      let effect = HTTPDownloadEffect()
      let (threads, descriptors) = (Lock(0), Lock(0))
      let finished = Recorder<HTTPDownloadEvent>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          if number >= 8 { try await group.next() }
          group.addTask {
            let path = folder.file("\(number)")
            let request = HTTPRequest(server.url("/"), timeout: nil, largestBody: .max)
            let send = Send<HTTPDownloadEvent> { event in
              // Here, since the thread ends with the last of what is under way.
              threads.withLock { $0 = max($0, ProcessFacts.httpThreads) }
              finished.append(event)
              return .reduced
            }
            try await effect.run(HTTPDownloadRequest(request, to: path), send: send)
            descriptors.withLock { $0 = max($0, ProcessFacts.descriptors) }
            unlink(path)
          }
        }
        try await group.waitForAll()
      }
      await server.stop()
      let whole = finished.values.count {
        if case .finished(_, received: size, of: _) = $0 { true } else { false }
      }
      print(
        """
        \(count) downloads of \(size >> 20) MiB, 8 at a time: \(threads.withLock { $0 }) threads of HTTP, \
        \(descriptors.withLock { $0 }) descriptors, \(ProcessFacts.peakMegabytes) MiB at most
        """)
      exit(
        // The system may be slow to remove a thread that has ended.
        whole == count && (1...2).contains(threads.withLock { $0 })
          && (ProcessFacts.peakMegabytes < 200 || ProcessFacts.needsMoreMemory) ? 0 : 1)
    }
    Self.show(result)
  }

  @Test(
    "look-ups that are cancelled while the name server is silent have a bounded number of threads",
    .enabled(
      if: ProcessInfo.processInfo.environment["MILLRACE_SILENT_NAMES"] != nil,
      "the step `names` of .ci/run names a silent name server"))
  func lookups() async throws {
    let silent = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(silent) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0035).bigEndian
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(silent, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isBound)
    let client = HTTPClient.untimed(connectionsPerHost: 4_000)
    var most = 0
    for round in 0..<4 {
      let loadings = (0..<500).map { number in
        Task {
          try await client.load(
            HTTPRequest("http://host\(number).round\(round).millrace.test/", timeout: nil))
        }
      }
      // A look-up of this round has begun once the name server is asked; those of the round before have ended then.
      try await onOwnThread { Self.query(silent, names: "round\(round)") }
      for loading in loadings { loading.cancel() }
      for loading in loadings {
        await #expect(throws: HTTPFailure.cancelled) { try await loading.value }
        most = max(most, ProcessFacts.httpThreads)
      }
    }
    print("2000 cancelled look-ups: \(most) threads at most")
    #expect(most > 10)
    #expect(most <= Inside.mostLookups + 1)
    try await eventually { ProcessFacts.httpThreads == 0 }
  }

  /// Returns when a name server is asked for a name with this label.
  private static func query(_ server: Int32, names label: String) {
    var query = [UInt8](repeating: 0, count: 512)
    while true {
      let count = recv(server, &query, query.count, 0)
      if count < 0 || query.prefix(count).firstRange(of: label.utf8) != nil { return }
    }
  }
}
#endif
