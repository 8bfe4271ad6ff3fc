import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Against a server that does whatever the worst server does.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HostileServerTests {
  /// Only what never ends by itself is ended by time.
  private static func request(_ server: HostileServer, _ behaviour: HostileBehaviour) -> HTTPRequest {
    HTTPRequest(
      server.url(behaviour), method: behaviour.method,
      timeout: behaviour.endings == [.endless] ? .milliseconds(200) : nil,
      largestBody: HostileBehaviour.largestBody)
  }

  /// The outcome of a stream, with the body that it brought.
  private static func streamed(
    _ request: HTTPRequest, through client: HTTPClient, onPart: (Int) async -> HTTPStreamDecision
  ) async -> Result<HTTPResponse, HTTPFailure> {
    let taken = await TakenStream.take(request, through: client, onPart: onPart)
    return (taken.outcome ?? .failure(.other("no outcome"))).map { response in
      var whole = response
      whole.body = taken.body
      return whole
    }
  }

  @Test("whatever a server does has one outcome of the right kind", arguments: HostileBehaviour.tested)
  func behaviour(behaviour: HostileBehaviour) async throws {
    let (server, clock) = (try HostileServer(), TestClock())
    let client = HTTPClient.untimed(clock: clock)
    let request = Self.request(server, behaviour)
    let loaded = await withTimePassing(by: clock, once: !server.arrivals.isEmpty) {
      await Result.of(request, through: client)
    }
    #expect(loaded.ending.map(behaviour.endings.contains) == true, "\(loaded)")
    // A stream may last: one that is never silent ends when its receiver has had enough.
    let isEndless = behaviour.endings == [.endless]
    let arrivals = server.arrivals.count
    let streamed = await withTimePassing(by: clock, once: server.arrivals.count > arrivals) {
      await Self.streamed(request, through: client) { isEndless && $0 == 3 ? .stop : .goOn }
    }
    if !(isEndless && streamed.map(\.status) == .success(200)) {
      #expect(streamed.ending.map(behaviour.endings.contains) == true, "\(streamed)")
    }
    #expect(client.exchangesUnderWay == 0)
    if case .failure(let failure) = loaded {
      let isTransient = [.cut, .endless, .nobody].contains(loaded.ending)
      let isStatus = if case .statusNotAccepted = failure { true } else { false }
      #expect(failure.isTransient == isTransient || isStatus)
      #expect(failure.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test("the next request gets its own answer, whatever was done before", arguments: HostileBehaviour.tested)
  func next(behaviour: HostileBehaviour) async throws {
    let (server, clock) = (try HostileServer(), TestClock())
    let client = HTTPClient.untimed(clock: clock)
    let loaded = await withTimePassing(by: clock, once: !server.arrivals.isEmpty) {
      await Result.of(Self.request(server, behaviour), through: client)
    }
    #expect(loaded.ending.map(behaviour.endings.contains) == true, "\(loaded)")
    try await server.allAnswered()
    let last = server.arrivals.last { $0.target.hasPrefix("/\(behaviour.name)") }
    let next = await Result.of(HTTPRequest(server.origin + "/next", timeout: nil), through: client)
    #expect(next.ending == .answer("next"), "\(next)")
    let arrivals = server.arrivals.filter { $0.target == "/next" }
    #expect(arrivals.count == 1)
    switch behaviour.next {
    case .same: #expect(arrivals.first?.connection == last?.connection)
    case .another: #expect(arrivals.first?.connection != last?.connection)
    case .either: break
    }
  }

  @Test("there are many hostile behaviours over HTTP/1.1, each with a name of its own")
  func count() {
    #expect(HostileBehaviour.all.count >= 240)
    #expect(Set(HostileBehaviour.all.map(\.name)).count == HostileBehaviour.all.count)
  }

  #if os(Linux)
  @Test("all hostile behaviours together leave no descriptor and no thread, and take little memory")
  func leftovers() async {
    await #expect(processExitsWith: .success) {
      // The first time loads the library, and opens what Dispatch wants for itself.
      try await Self.all()
      try await ProcessFacts.openTimers()
      let descriptors = ProcessFacts.descriptors
      for _ in 0..<2 { try await Self.all() }
      // Threads of servers that have been stopped may still have to go.
      try await eventually { ProcessFacts.descriptors <= descriptors }
      try await eventually { ProcessFacts.httpThreads == 0 }
      exit(ProcessFacts.peakMegabytes < 250 || ProcessFacts.needsMoreMemory ? 0 : 1)
    }
  }

  @Test("no child process inherits a descriptor of a client, also while it loads")
  func inherited() async {
    await #expect(processExitsWith: .success) {
      let gate = ThreadGate()
      let server = try LoopbackServer { connection in
        while connection.readHead() != nil {
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
          gate.wait()
          connection.write("world")
        }
      }
      let before = ProcessFacts.inherited
      var isKept = true
      for _ in 0..<3 {
        try await HTTPClient().stream(HTTPRequest(server.url(), timeout: nil)) { part in
          if !ProcessFacts.inherited.isSubset(of: before) { isKept = false }
          gate.open()
          return .goOn
        }
      }
      let client = HTTPClient()
      _ = try await client.load(HTTPRequest(server.url(), timeout: nil))
      // The threads of the others may still have to let go of them.
      try await eventually { server.clientSockets == 1 }
      exit(isKept && ProcessFacts.inherited.isSubset(of: before) ? 0 : 1)
    }
  }

  private static func all() async throws {
    let server = try HostileServer()
    do {
      let client = HTTPClient()
      await withTaskGroup(of: Void.self) { group in
        for behaviour in HostileBehaviour.tested {
          group.addTask { _ = await Result.of(Self.request(server, behaviour), through: client) }
        }
      }
    }
    try await server.allClosed()
    await server.stop()
  }
  #endif
}
