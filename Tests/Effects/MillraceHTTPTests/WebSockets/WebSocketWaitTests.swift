#if !canImport(Darwin)
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// What a run waits for while its WebSocket begins and ends: a test store that settles waits for the server, although other
/// tasks of the run wait for the test, for a time or for another value of the request.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct WebSocketWaitTests {
  private struct State: Equatable, Sendable {
    var sockets: Set<WebSocketRequest> = []
    var events = 0
  }

  private enum Action: Equatable, Sendable {
    case ask(Set<WebSocketRequest>)
    case event(WebSocketEvent)
  }

  @Sendable private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .ask(let sockets): state.sockets = sockets
    case .event: state.events += 1
    }
  }

  private let clock = TestClock()
  private let agreement = ThreadGate()
  private let end = ThreadGate()

  /// A server that agrees to a WebSocket, and to its end, when the gates are open.
  private func server() throws -> LoopbackServer {
    try LoopbackServer { [agreement, end] connection in
      agreement.wait()
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      while peer.message() != nil {}
      end.wait()
      peer.close(1000)
    }
  }

  private func store() -> TestStore<State, Action> {
    let store = TestStore(initialState: State(), serving: .bodies, reduce: Self.reduce) { [clock] in
      $0.connect(WebSocketEffect(clock: clock), to: \.sockets, action: Action.event)
    }
    store.timeLimit = patience
    return store
  }

  /// Opens a gate of the server when a store that settled too early would have settled.
  private func open(_ gate: ThreadGate) async throws {
    try await clock.sleepers(atLeast: 1)
    for _ in 0..<200 { await Task.yield() }
    gate.open()
  }

  @Test("a test store waits until a WebSocket is open, and what it sends is written")
  func opens() async throws {
    let (server, store) = (try server(), store())
    let request = WebSocketRequest(server.socketURL, outgoing: [WebSocketOutgoing(1, .text("1"))])
    let bare = request.withoutOutgoing
    store.send(.ask([request])) { $0.sockets = [request] }
    async let opened: Void = open(agreement)
    await store.receive(.event(.status(.connecting(attempt: 1), of: bare))) { $0.events = 1 }
    await store.receive(.event(.status(.open(subprotocol: nil), of: bare))) { $0.events = 2 }
    await store.receive(.event(.sent(1, over: bare))) { $0.events = 3 }
    try await opened
    var next = request
    next.outgoing = [WebSocketOutgoing(2, .text("2"))]
    store.send(.ask([next])) { $0.sockets = [next] }
    await store.receive(.event(.sent(2, over: bare))) { $0.events = 4 }
    end.open()
    store.send(.ask([])) { $0.sockets = [] }
    store.expect(stopped: next)
    await store.finish()
  }

  @Test("a test store waits until a WebSocket has ended, for another one that waits behind it")
  func ends() async throws {
    let (server, store) = (try server(), store())
    agreement.open()
    let request = WebSocketRequest(server.socketURL)
    store.send(.ask([request])) { $0.sockets = [request] }
    await store.receive(.event(.status(.connecting(attempt: 1), of: request))) { $0.events = 1 }
    await store.receive(.event(.status(.open(subprotocol: nil), of: request))) { $0.events = 2 }
    store.send(.ask([])) { $0.sockets = [] }
    store.expect(stopped: request)
    store.send(.ask([request])) { $0.sockets = [request] }
    async let ended: Void = open(end)
    await store.receive(.event(.status(.connecting(attempt: 1), of: request))) { $0.events = 3 }
    await store.receive(.event(.status(.open(subprotocol: nil), of: request))) { $0.events = 4 }
    try await ended
    store.send(.ask([])) { $0.sockets = [] }
    store.expect(stopped: request)
    await store.finish()
  }

  @Test("what a WebSocket waits for is told, with a limit of the time and without one", arguments: [nil, 60])
  func reported(limit: Int?) async throws {
    let server = try server()
    var request = WebSocketRequest(server.socketURL)
    (request.timeout, request.idleTimeout) = (limit.map { .seconds($0) }, limit.map { .seconds($0) })
    request.closingTime = .seconds(60)
    let store = Store(initialState: State(), reduce: Self.reduce)
    store.connect(WebSocketEffect(), to: \.sockets, action: Action.event)
    let waits = { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    let value = "another value of its request"
    store.dispatch(.ask([request]))
    try await eventually { waits() == [value, "the server's agreement"] }
    agreement.open()
    try await eventually { store.state.events == 2 }
    try await eventually { waits() == (limit == nil ? [value] : ["a message of the server", value]) }
    store.dispatch(.ask([]))
    try await eventually { waits() == ["the server to close"] }
    end.open()
    await store.settled()
  }
}
#endif
