import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.stopsServers, .serialized) struct HTTPEffectTests {
  private struct Downloads: Equatable, Sendable {
    var wanted: Set<HTTPRequest> = []
    var bodies: [String: Data] = [:]
    var failures: [HTTPFailure] = []
  }

  private let clock = TestClock()
  private let heads = Recorder<String>()

  /// A store that asks for what it is sent, and for nothing after `nil`.
  private func makeStore() -> Store<Downloads, Action> {
    let store = Store<Downloads, Action>(initialState: Downloads(), on: .immediate) { state, action in
      switch action {
      case .want(let request): state.wanted = request.map { [$0] } ?? []
      case .http(.response(let response, to: let request)): state.bodies[request.url] = response.body
      case .http(.failed(let failure, of: var request)):
        state.failures.append(failure)
        guard failure.isTransient, request.attempt < 3 else { return }
        request.attempt += 1
        state.wanted = [request]
      }
    }
    store.connect(
      HTTPEffect(client: .untimed()).backingOff(
        by: Backoff(first: .seconds(1), jitter: 0), attempt: { $0.attempt }, clock: clock),
      to: \.wanted, action: Action.http)
    return store
  }

  private enum Action: Sendable {
    case want(HTTPRequest?)
    case http(HTTPEvent)
  }

  @Test("a request in the state is answered once, and stays answered")
  func answered() async throws {
    let server = try LoopbackServer(noting: heads)
    let store = makeStore()
    store.dispatch(.want(HTTPRequest(server.url())))
    await store.settled()
    #expect(store.state.bodies == [server.url(): Data("hi".utf8)])
    #expect(heads.count == 1)
  }

  @Test("a request that leaves the state is broken off on the wire")
  func forgotten() async throws {
    let server = try LoopbackServer(noting: heads, pausingAfter: "")
    let store = makeStore()
    store.dispatch(.want(HTTPRequest(server.url(), timeout: nil)))
    try await heads.values(atLeast: 1)
    store.dispatch(.want(nil))
    await server.connectionsEnded()
    await store.settled()
    #expect(store.state == Downloads())
  }

  @Test("a transient failure is tried again after its backoff, and attempts are in the state")
  func retried() async throws {
    let heads = heads
    let server = try LoopbackServer(noting: heads) { _ in
      page("", status: heads.count < 3 ? "503 Busy" : "200 OK")
    }
    let store = makeStore()
    store.dispatch(.want(HTTPRequest(server.url())))
    for delay in [1, 2] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      clock.advance(by: .seconds(delay))
    }
    await store.settled()
    #expect(store.state.failures.count == 2)
    #expect(store.state.wanted.map(\.attempt) == [3])
    #expect(store.state.bodies.count == 1)
  }
}
