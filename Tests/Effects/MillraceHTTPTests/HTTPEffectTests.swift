import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.serialized) struct HTTPEffectTests {
  private struct Downloads: Equatable, Sendable {
    var wanted: Set<HTTPRequest> = []
    var bodies: [String: Data] = [:]
    var failures: [HTTPFailure] = []
  }

  private enum Action: Sendable {
    case want(HTTPRequest)
    case forget
    case http(HTTPEvent)
  }

  private func makeStore() -> Store<Downloads, Action> {
    Store(initialState: Downloads(), on: .immediate) { state, action in
      switch action {
      case .want(let request): state.wanted.insert(request)
      case .forget: state.wanted = []
      case .http(.response(let response, to: let request)): state.bodies[request.url] = response.body
      case .http(.failed(let failure, of: var request)):
        state.failures.append(failure)
        guard failure.isTransient, request.attempt < 3 else { return }
        state.wanted.remove(request)
        request.attempt += 1
        state.wanted.insert(request)
      }
    }
  }

  @Test("a request in the state is answered once, and stays answered")
  func answered() async throws {
    let heads = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      heads.append(true)
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    }
    let store = makeStore()
    store.connect(HTTPEffect(client: .untimed()), to: \.wanted, action: Action.http)
    store.dispatch(.want(HTTPRequest(server.url())))
    await store.settled()
    #expect(store.state.bodies == [server.url(): Data("hi".utf8)])
    #expect(heads.count == 1)
    await server.stop()
  }

  @Test("a request that leaves the state is broken off on the wire")
  func forgotten() async throws {
    let arrived = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      arrived.append(connection.readHead() != nil)
      connection.waitForClose()
    }
    let store = makeStore()
    store.connect(HTTPEffect(client: .untimed()), to: \.wanted, action: Action.http)
    store.dispatch(.want(HTTPRequest(server.url(), timeout: nil)))
    try await arrived.values(atLeast: 1)
    store.dispatch(.forget)
    await server.connectionsEnded()
    await store.settled()
    #expect(store.state == Downloads())
    await server.stop()
  }

  @Test("a transient failure is tried again after its backoff, and attempts are in the state")
  func retried() async throws {
    let attempts = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      attempts.append(true)
      connection.write("HTTP/1.1 \(attempts.count < 3 ? "503 Busy" : "200 OK")\r\nContent-Length: 0\r\n\r\n")
    }
    let clock = TestClock()
    let store = makeStore()
    store.connect(
      HTTPEffect(client: .untimed()).backingOff(
        by: Backoff(first: .seconds(1), jitter: 0), attempt: { $0.attempt }, clock: clock),
      to: \.wanted, action: Action.http)
    store.dispatch(.want(HTTPRequest(server.url())))
    for delay in [1, 2] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      clock.advance(by: .seconds(delay))
    }
    await store.settled()
    #expect(store.state.failures.count == 2)
    #expect(store.state.wanted.map(\.attempt) == [3])
    #expect(store.state.bodies.count == 1)
    await server.stop()
  }
}
