import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct EventSourceEffectTests {
  private struct Feed: Equatable, Sendable {
    var sources: Set<EventSourceRequest> = []
    var events: [ServerSentEvent] = []
    var statuses: [EventSourceStatus] = []
  }

  private enum Action: Sendable {
    case follow(EventSourceRequest)
    case leave
    case source(EventSourceEvent)
  }

  private let clock = TestClock()
  private let changes = Recorder<EventSourceEvent>()
  private let heads = Recorder<String>()

  private func makeStore(_ breaker: CircuitBreaker? = nil) -> Store<Feed, Action> {
    let store = Store<Feed, Action>(initialState: Feed(), on: .immediate) { [changes] state, action in
      switch action {
      case .follow(let source): state.sources.insert(source)
      case .leave: state.sources = []
      case .source(let event):
        switch event {
        case .received(let event, from: _): state.events.append(event)
        case .status(let status, of: _): state.statuses.append(status)
        }
        changes.append(event)
      }
    }
    store.connect(
      EventSourceEffect(client: HTTPClient(clock: clock), breaker: { _ in breaker }), to: \.sources,
      action: Action.source, longRunning: true)
    return store
  }

  private func source(_ server: LoopbackServer) -> EventSourceRequest {
    EventSourceRequest(
      HTTPRequest(server.url(), timeout: nil),
      backoff: Backoff(first: .seconds(1), cap: .seconds(10), jitter: 0))
  }

  private static func answer(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(body)"
  }

  /// A server that answers the first connection with the first answer, and so on.
  private func server(answering answers: [String]) throws -> LoopbackServer {
    try LoopbackServer { [heads] connection in
      guard let head = connection.readHead() else { return }
      heads.append(head.lowercased())
      connection.write(answers[min(heads.count, answers.count) - 1])
    }
  }

  @Test("events come one after the other, and the connection is made again where they ended")
  func reconnected() async throws {
    let server = try server(answering: [
      Self.answer("id: 1\ndata: a\n\nevent: x\ndata: b\n\nid: 2\ndata: never ended"),
      Self.answer("retry: 5000\nid: 3\ndata: c\n\n"), "HTTP/1.1 204 No Content\r\n\r\n",
    ])
    let store = makeStore()
    store.dispatch(.follow(source(server)))
    for delay in [1, 5] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      clock.advance(by: .seconds(delay))
    }
    _ = try await changes.values(atLeast: 11)
    #expect(store.state.events.map(\.data) == ["a", "b", "c"])
    #expect(store.state.events.map(\.type) == ["message", "x", "message"])
    #expect(store.state.events.map(\.lastEventID) == ["1", "1", "3"])
    #expect(
      store.state.statuses == [
        .connecting(attempt: 1), .open, .waiting(delay: .seconds(1), after: nil), .connecting(attempt: 2),
        .open,
        .waiting(delay: .seconds(5), after: nil), .connecting(attempt: 2), .closed(.finished),
      ])
    #expect(heads.values.map { $0.contains("last-event-id") } == [false, true, true])
    // A server that answered with 204 is not asked again.
    try await eventually { store.activity.entries.flatMap(\.work).allSatisfy { $0.phase == .finished } }
    #expect(clock.sleepers.isEmpty)
    #expect(heads.values[1].contains("\r\nlast-event-id: 1\r\n"))
    #expect(heads.values[2].contains("\r\nlast-event-id: 3\r\n"))
    try await server.allClosed()
    #expect(await store.shutdown().isClean)
  }

  @Test("an identifier with control characters is kept and sent back as it is")
  func oddIdentifiers() async throws {
    let server = try server(answering: [
      Self.answer("id: a\u{1}b\u{1B}[31mc\u{7F}\tü\ndata: a\n\n"), "HTTP/1.1 204 No Content\r\n\r\n",
    ])
    let store = makeStore()
    store.dispatch(.follow(source(server)))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = try await changes.values(atLeast: 6)
    #expect(store.state.statuses.last == .closed(.finished))
    #expect(heads.values[1].contains("\r\nlast-event-id: a\u{1}b\u{1B}[31mc\u{7F}\tü\r\n"))
    try await server.allClosed()
  }

  @Test(
    "a breaker guards the connecting: while it is open no attempt is made, and a stream that is open closes it"
  )
  func guarded() async throws {
    let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(30), clock: clock)
    let server = try server(answering: [
      "HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nlater", Self.answer("data: a\n\n"),
    ])
    let store = makeStore(breaker)
    store.dispatch(.follow(source(server)))
    for delay in [1, 29] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      #expect(breaker.state == .open && heads.count == 1)
      clock.advance(by: .seconds(delay))
    }
    try await eventually { store.state.events.map(\.data) == ["a"] }
    #expect(breaker.state == .closed && heads.count == 2)
    #expect(
      store.state.statuses.contains(
        .waiting(delay: .seconds(29), after: .cannotConnect("not tried for another 29 s"))),
      "\(store.state.statuses)")
    #expect(await store.shutdown().isClean)
  }

  @Test("what is no event stream ends it for good")
  func notAnEventStream() async throws {
    let server = try server(answering: ["HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\ndata: a\n\n"])
    let store = makeStore()
    store.dispatch(.follow(source(server)))
    _ = try await changes.values(atLeast: 2)
    #expect(
      store.state.statuses == [.connecting(attempt: 1), .closed(.notAnEventStream(contentType: "text/html"))])
    try await server.allClosed()
    #expect(store.state.events.isEmpty)
    await server.stop()
  }

  @Test("a stream that leaves the state is closed on the wire, and so is its waiting")
  func left() async throws {
    let server = try LoopbackServer { [heads] connection in
      guard let head = connection.readHead() else { return }
      heads.append(head)
      connection.write(Self.answer("data: a\n\n"))
      if heads.count == 1 { connection.waitForClose() }
    }
    let store = makeStore()
    store.dispatch(.follow(source(server)))
    _ = try await changes.values(atLeast: 3)
    store.dispatch(.leave)
    try await server.allClosed()
    store.dispatch(.follow(source(server)))
    try await clock.sleepers(atLeast: 1)  // it waits to connect again
    store.dispatch(.leave)
    #expect(await store.shutdown().isClean)
    #expect(clock.sleepers.isEmpty)
    #expect(heads.count == 2)
    try await server.allClosed()
  }

  @Test("a server that is silent for longer than allowed has its connection made again")
  func idle() async throws {
    let server = try LoopbackServer { [heads] connection in
      guard let head = connection.readHead() else { return }
      heads.append(head)
      guard heads.count == 1 else { return connection.close() }
      connection.write(Self.answer("data: a\n\n"))
      connection.waitForClose()
    }
    let store = makeStore()
    var source = source(server)
    source.idleTimeout = .seconds(30)
    store.dispatch(.follow(source))
    _ = try await changes.values(atLeast: 3)
    while store.state.statuses.count < 3 {
      try await clock.sleepers(atLeast: 1)
      if store.state.statuses.count < 3 { clock.advance(by: .seconds(30)) }
    }
    #expect(store.state.statuses[2] == .waiting(delay: .seconds(1), after: .timedOut))
    let waits = { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    try await eventually { waits().first?.hasPrefix("the next attempt in 1 s (a test clock") == true }
    store.dispatch(.leave)
    try await server.allClosed()
  }

  @Test("the next bytes are read when the last event has been reduced")
  func backPressure() async throws {
    let server = try server(answering: [
      Self.answer((0..<30_000).map { "data: \($0)\n\n" }.joined()), "HTTP/1.1 204 No Content\r\n\r\n",
    ])
    let gate = Gate()
    let sent = Recorder<EventSourceEvent>()
    let send = Send<EventSourceEvent> { event in
      sent.append(event)
      if case .received = event, sent.count == 3 { await gate.waitIgnoringCancellation() }
      return .reduced
    }
    let source = source(server)
    let clock = clock
    let running = Task { await EventSourceEffect(client: HTTPClient(clock: clock)).run(source, send: send) }
    try await gate.waiters(atLeast: 1)
    #expect(sent.count == 3)
    gate.open()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await running.value
    let data = sent.values.compactMap {
      if case .received(let event, from: _) = $0 { event.data } else { nil }
    }
    let isWhole = data == (0..<30_000).map { "\($0)" }  // not inside #expect, which would print all of it
    #expect(isWhole)
    try await server.allClosed()
  }
}
