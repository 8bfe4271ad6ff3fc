#if os(Linux)
import Foundation
import HostileServer
import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

/// What becomes of connections and descriptors.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(10))) struct CurlNetworkTests {
  /// Answers each request, and closes the connection of the path `/closing` when the gate opens.
  private static func makeServer(_ gate: ThreadGate, _ served: Recorder<String>) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let head = connection.readHead() {
        served.append(String(head.split(separator: " ")[1]))
        connection.write(page())
        if head.contains("/closing") {
          gate.wait()
          return
        }
      }
    }
  }

  /// How many of this process's connections to `port` were closed by the server alone.
  private static func halfClosed(_ port: UInt16) -> Int {
    let table = systemFile("/proc/self/net/tcp")
    let peer = ":" + String(port, radix: 16, uppercase: true)
    return table.split(separator: "\n").count { line in
      let fields = line.split(separator: " ")
      return fields.count > 3 && fields[2].hasSuffix(peer) && fields[3] == "08"
    }
  }

  @Test("a connection that its server closes is closed too, though nobody asks for anything")
  func closed() async throws {
    let gate = ThreadGate()
    let server = try Self.makeServer(gate, Recorder())
    let transport = CurlTransport(connectionsPerHost: 6)
    let client = HTTPClient(transport: transport)
    for round in 0..<2 {
      _ = try await client.load(HTTPRequest(server.url("/closing"), timeout: nil))
      try await eventually { !transport.hasThread }
      if round == 0 { #expect(server.clientSockets == 1) }
      gate.open()
      try await server.allClosed()
      #expect(Self.halfClosed(server.port) == 0)
    }
  }

  @Test("a client whose connections were all closed has one descriptor, that which watches them")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      let gate = ThreadGate()
      let server = try Self.makeServer(gate, Recorder())
      var transport: CurlTransport? = CurlTransport(connectionsPerHost: 6)
      if let transport {
        let client = HTTPClient(transport: transport)
        _ = try await client.load(HTTPRequest(server.url("/closing"), timeout: nil))
        gate.open()
        try await server.allClosed()
        try await eventually { !transport.hasThread }
      }
      try await ProcessFacts.openTimers()
      let descriptors = ProcessFacts.descriptors
      transport = nil
      try await eventually { ProcessFacts.descriptors == descriptors - 1 }
      await server.stop()
      exit(0)
    }
  }

  @Test("a connection that its server closes while another one is busy is closed too")
  func closedMeanwhile() async throws {
    let gate = ThreadGate()
    let answering = ThreadGate()
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      if head.contains("/busy") { answering.wait() }
      connection.write(page())
      gate.wait()
    }
    let client = HTTPClient.untimed()
    let busy = Task { try await client.load(HTTPRequest(server.url("/busy"), timeout: nil)) }
    try await eventually { server.openConnections == 1 }
    _ = try await client.load(HTTPRequest(server.url("/closing"), timeout: nil))
    #expect(server.clientSockets == 2)
    gate.open()
    try await eventually { server.openConnections == 1 && server.clientSockets == 1 }
    answering.open()
    #expect(try await busy.value.status == 200)
  }

  @Test("a connection that is closed beside one that is not leaves that one to be used")
  func oneOfTwo() async throws {
    let gate = ThreadGate()
    let served = Recorder<String>()
    // Answered once both have come, so that neither can be sent over the other's connection.
    let both = ThreadGate()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        served.append(String(head.split(separator: " ")[1]))
        if served.count == 2 { both.open() }
        both.wait()
        connection.write(page())
        if head.contains("/closing") { return gate.wait() }
      }
    }
    let transport = CurlTransport(connectionsPerHost: 6)
    let client = HTTPClient(transport: transport)
    async let first = client.load(HTTPRequest(server.url("/closing"), timeout: nil))
    async let second = client.load(HTTPRequest(server.url("/staying"), timeout: nil))
    _ = try await (first, second)
    try await eventually { !transport.hasThread }
    gate.open()
    try await eventually { server.openConnections == 1 && server.clientSockets == 1 }
    for method in ["GET", "POST"] {
      _ = try await client.load(HTTPRequest(server.url("/staying"), method: method, timeout: nil))
    }
    #expect(server.openConnections <= 1)
    #expect(served.count == 4)
  }

  @Test("a library that cannot be asked before it sends gets a connection for each request, and repeats none")
  func oldLibrary() async throws {
    let arrived = Recorder<String>()
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        arrived.append(String(head.split(separator: " ")[0]))
        if head.contains("/silent") { return }
        connection.write(page())
      }
    }
    let client = HTTPClient(
      transport: CurlTransport(
        connectionsPerHost: 6, library: .success(CurlLibrary(version: 0x074400, hasHTTP2: true))))
    _ = try await client.load(HTTPRequest(server.url(), timeout: nil))
    try await server.allClosed()
    for method in ["POST", "GET"] {
      await #expect(throws: HTTPFailure.cutOff(received: 0, expected: nil)) {
        try await client.load(HTTPRequest(server.url("/silent"), method: method, timeout: nil))
      }
    }
    #expect(arrived.values == ["GET", "POST", "GET"])
  }

  @Test("a process without a descriptor left says so, and it is a failure that may pass")
  func noDescriptors() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(noting: Recorder())
      let used = HTTPClient()
      _ = try await used.load(HTTPRequest(server.url("/"), timeout: nil))
      let fresh = HTTPClient()
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      setrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE
      var taken: [Int32] = []
      while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
      var failures: [HTTPFailure] = []
      for (client, host) in [(used, "127.0.0.2"), (used, "nowhere.invalid"), (fresh, "127.0.0.1")] {
        do throws(HTTPFailure) {
          _ = try await client.load(HTTPRequest("http://\(host):\(server.port)/", timeout: nil))
        } catch { failures.append(error) }
      }
      for descriptor in taken { close(descriptor) }
      let later = try? await fresh.load(HTTPRequest(server.url("/"), timeout: nil))
      let isTold =
        failures.count == 3
        && failures.allSatisfy { "\($0)".contains("no file descriptor left") && $0.isTransient }
      exit(isTold && later?.status == 200 ? 0 : 1)
    }
  }

  @Test("an empty SSL_CERT_FILE is none")
  func emptyVariable() async {
    await #expect(processExitsWith: .success) {
      setenv("SSL_CERT_FILE", "", 1)
      setenv("SSL_CERT_DIR", "", 1)
      let setup = CurlSetup()
      exit(setup.authoritiesFile == nil && setup.authoritiesFolder == nil ? 0 : 1)
    }
  }

  @Test(
    "a proxy that cannot be used is told without its password, and does not pass",
    arguments: [
      "http://user:secret@", "foo://user:secret@127.0.0.1:1", "http://user:secret@127.0.0.1:99999",
      "http://user:sec ret@127.0.0.1:1x",
    ])
  func proxy(proxy: String) async throws {
    let client = HTTPClient.untimed(proxy: proxy)
    // Not this machine, which the environment may except from proxies.
    let failure = await #expect(throws: HTTPFailure.self) {
      try await client.load(HTTPRequest("http://example.invalid/", timeout: nil))
    }
    #expect(failure?.isTransient == false, "\(String(describing: failure))")
    let told = "\(String(describing: failure))"
    #expect(told.contains("proxy") && !told.contains("sec") && !told.contains("user"))
  }
}
#endif
