#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

/// What a WebSocket does about a server that is silent, and about a request that changes or leaves while it connects or ends.
@Suite(.serialized, .timeLimit(.minutes(30))) struct WebSocketTimingTests {
  private func request(_ server: LoopbackServer, _ outgoing: [WebSocketOutgoing] = []) -> WebSocketRequest {
    WebSocketRequest(
      server.socketURL, outgoing: outgoing,
      backoff: Backoff(first: .seconds(1), cap: .seconds(60), jitter: 0),
      timeout: nil, idleTimeout: nil)
  }

  private static func text(_ number: Int) -> WebSocketOutgoing {
    WebSocketOutgoing(number, .text("\(number)"))
  }

  @Test("a silent server is asked by a ping, and one that stays silent is given up")
  func silence() async throws {
    let frames = Recorder<WebSocketPeer.Frame>()
    let server = try LoopbackServer(webSocket: { peer, _ in
      while let frame = peer.frame() { frames.append(frame) }
    })
    let desk = SocketDesk()
    var request = request(server)
    request.idleTimeout = .seconds(10)
    desk.store.dispatch(.ask(request))
    for _ in 1...2 {
      #expect(
        try await desk.clock.sleepers(atLeast: 1).map(\.deadline) == [desk.clock.now + .seconds(5)])
      desk.clock.advance(by: .seconds(5))
      // Before the next tick: two that nobody has looked at count as one.
      _ = try await inTime { try await frames.values(atLeast: 1) }
    }
    #expect(frames.values.map(\.code) == [WebSocketPeer.Code.ping])
    _ = try await inTime { try await desk.events.values(atLeast: 3) }
    #expect(desk.statuses.last == .waiting(delay: .seconds(1), after: .failed(.silent)))
    #expect(await desk.store.shutdown().isClean)
    await server.stop()
  }

  @Test("a value that is handed over while a connection begins is not missed")
  func handedOverEarly() async throws {
    struct Wire: SocketWire {
      func wake() {}
    }
    let newest = NewestRequest(WebSocketRequest("ws://a"))
    let channel = WebSocketChannel(wire: Wire())
    newest.handedOver(WebSocketRequest("ws://a", outgoing: [Self.text(1)]))
    newest.continues(over: channel)
    #expect(try await inTime { await channel.next().isChanged })
    #expect(newest.value.outgoing == [Self.text(1)])
  }

  @Test(
    "a breaker guards the connecting: while it is open no attempt is made, and a connection that is lost does not open it"
  )
  func guarded() async throws {
    let (count, gate) = (Lock(0), ThreadGate())
    let server = try LoopbackServer { connection in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number > 1 else {
        if connection.readHead() != nil { connection.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n") }
        return
      }
      guard let peer = WebSocketPeer(connection, accept: WebSocketHandshake.accept) else { return }
      if number == 2 { gate.wait() } else { while peer.message() != nil {} }
    }
    let clock = TestClock()
    let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(30), clock: clock)
    let desk = SocketDesk(clock: clock, breaker: breaker)
    desk.store.dispatch(.ask(request(server)))
    for delay in [1, 29] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      #expect(breaker.state == .open && count.withLock { $0 } == 1)
      clock.advance(by: .seconds(delay))
    }
    _ = try await inTime { try await desk.events.values(atLeast: 6) }
    #expect(desk.statuses.last == .open(subprotocol: nil) && breaker.state == .closed)
    #expect(
      desk.statuses.contains(
        .waiting(delay: .seconds(29), after: .failed(.http(.cannotConnect("not tried for another 29 s"))))),
      "\(desk.statuses)")
    gate.open()
    _ = try await inTime { try await desk.events.values(atLeast: 7) }
    #expect(desk.statuses.last?.isOpen == false && breaker.state == .closed)
    try await clock.sleepers(atLeast: 1)
    clock.advanceToNextDeadline()
    _ = try await inTime { try await desk.events.values(atLeast: 9) }
    #expect(desk.statuses.last == .open(subprotocol: nil) && count.withLock { $0 } == 3)
    #expect(await desk.store.shutdown().isClean)
    await server.stop()
  }

  @Test("a server that does not agree in time is given up")
  func timedOut() async throws {
    let gate = ThreadGate()
    let server = try LoopbackServer { connection in
      _ = connection.readHead()
      gate.open()
      connection.waitForClose()
    }
    let desk = SocketDesk()
    var request = request(server)
    request.timeout = .seconds(3)
    desk.store.dispatch(.ask(request))
    try await onOwnThread { gate.wait() }
    try await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(3))
    _ = try await inTime { try await desk.events.values(atLeast: 2) }
    #expect(desk.statuses.last == .waiting(delay: .seconds(1), after: .failed(.http(.timedOut))))
    try await server.allClosed()
    #expect(await desk.store.shutdown().isClean)
    await server.stop()
  }

  @Test("a server that does not agree to the end is cut off after the time for closing")
  func closingTime() async throws {
    let code = Recorder<Int?>()
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(connection, accept: WebSocketHandshake.accept) else { return }
      code.append(peer.closeCode())
      connection.waitForClose()
    }
    let desk = SocketDesk()
    desk.store.dispatch(.ask(request(server)))
    _ = try await inTime { try await desk.events.values(atLeast: 2) }
    desk.store.dispatch(.leave)
    _ = try await inTime { try await code.values(atLeast: 1) }
    #expect(code.values == [1000])
    #expect(try await desk.clock.sleepers(atLeast: 1).map(\.deadline) == [desk.clock.now + .seconds(2)])
    #expect(server.clientSockets == 1)
    desk.clock.advance(by: .seconds(2))
    try await server.allClosed()
    #expect(await desk.store.shutdown().isClean)
    await server.stop()
  }

  @Test("a request that leaves the state while the effect connects, or waits, ends at once")
  func leftEarly() async throws {
    let gate = ThreadGate()
    let server = try LoopbackServer { connection in
      _ = connection.readHead()
      gate.open()
      connection.waitForClose()
    }
    let desk = SocketDesk()
    desk.store.dispatch(.ask(request(server)))
    try await onOwnThread { gate.wait() }
    desk.store.dispatch(.leave)
    try await server.allClosed()
    await server.stop()
    desk.store.dispatch(.ask(request(server)))
    try await desk.clock.sleepers(atLeast: 1)
    guard case .waiting(_, after: .failed(.http(.cannotConnect)))? = desk.statuses.last else {
      Issue.record("\(desk.statuses)")
      return
    }
    desk.store.dispatch(.leave)
    try await eventually { desk.clock.sleepers.isEmpty }
    #expect(await desk.store.shutdown().isClean)
  }
}
#endif
