#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// What a WebSocket does about a server that is silent, and about a request that changes or leaves while it connects or ends.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct WebSocketTimingTests {
  @Test("a silent server is asked by a ping, and one that stays silent is given up")
  func silence() async throws {
    let frames = Recorder<WebSocketPeer.Frame>()
    let server = try LoopbackServer(webSocket: { peer, _ in
      while let frame = peer.frame() { frames.append(frame) }
    })
    let desk = SocketDesk()
    var request = server.socket()
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
    try await desk.events(3)
    #expect(desk.statuses.last == .waiting(delay: .seconds(1), after: .failed(.silent)))
    #expect(await desk.store.shutdown().isClean)
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
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      if number == 2 { gate.wait() } else { while peer.message() != nil {} }
    }
    let clock = TestClock()
    let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(30), clock: clock)
    let desk = SocketDesk(clock: clock, breaker: breaker)
    desk.store.dispatch(.ask(server.socket()))
    for delay in [1, 29] {
      #expect(try await clock.sleepers(atLeast: 1).map(\.deadline) == [clock.now + .seconds(delay)])
      #expect(breaker.state == .open && count.withLock { $0 } == 1)
      clock.advance(by: .seconds(delay))
    }
    try await desk.events(6)
    #expect(desk.statuses.last == .open(subprotocol: nil) && breaker.state == .closed)
    #expect(
      desk.statuses.contains(
        .waiting(delay: .seconds(29), after: .failed(.http(.cannotConnect("not tried for another 29 s"))))),
      "\(desk.statuses)")
    gate.open()
    try await desk.events(7)
    #expect(desk.statuses.last?.isOpen == false && breaker.state == .closed)
    try await clock.sleepers(atLeast: 1)
    clock.advanceToNextDeadline()
    try await desk.events(9)
    #expect(desk.statuses.last == .open(subprotocol: nil) && count.withLock { $0 } == 3)
    #expect(await desk.store.shutdown().isClean)
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
    var request = server.socket()
    request.timeout = .seconds(3)
    desk.store.dispatch(.ask(request))
    try await onOwnThread { gate.wait() }
    try await desk.clock.sleepers(atLeast: 1)
    desk.clock.advance(by: .seconds(3))
    try await desk.events(2)
    #expect(desk.statuses.last == .waiting(delay: .seconds(1), after: .failed(.http(.timedOut))))
    try await server.allClosed()
    #expect(await desk.store.shutdown().isClean)
  }

  @Test("a server that does not agree to the end is cut off after the time for closing")
  func closingTime() async throws {
    let code = Recorder<Int?>()
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      code.append(peer.closeCode())
      connection.waitForClose()
    }
    let desk = SocketDesk()
    try await desk.ask(for: server.socket(), until: 2)
    desk.store.dispatch(.leave)
    _ = try await inTime { try await code.values(atLeast: 1) }
    #expect(code.values == [1000])
    #expect(try await desk.clock.sleepers(atLeast: 1).map(\.deadline) == [desk.clock.now + .seconds(2)])
    #expect(server.clientSockets == 1)
    desk.clock.advance(by: .seconds(2))
    try await server.allClosed()
    #expect(await desk.store.shutdown().isClean)
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
    desk.store.dispatch(.ask(server.socket()))
    try await onOwnThread { gate.wait() }
    desk.store.dispatch(.leave)
    try await server.allClosed()
    let (socket, port) = try LoopbackServer.boundSocket()  // taken, so that no other test can listen on it
    defer { close(socket) }
    var refused = server.socket()
    refused.url = "ws://127.0.0.1:\(port)/"
    desk.store.dispatch(.ask(refused))
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
