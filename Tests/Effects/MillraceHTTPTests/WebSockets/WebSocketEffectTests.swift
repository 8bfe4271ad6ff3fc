#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct WebSocketEffectTests {
  @Test("messages go there and back, and a request that leaves the state closes with 1000")
  func echoed() async throws {
    let code = Lock<Int?>(nil)
    let server = try LoopbackServer(webSocket: { peer, _ in
      for _ in 0..<2 { if let message = peer.message() { peer.send(message.text) } }
      code.withLock { $0 = peer.closeCode() }
      peer.close(1000)
    })
    let desk = SocketDesk()
    let request = server.socket([.text(1), WebSocketOutgoing(2, .binary(Data("two".utf8)))])
    try await desk.ask(for: request, until: 6)
    #expect(desk.statuses == [.connecting(attempt: 1), .open(subprotocol: nil)])
    #expect(desk.received == [.text("1"), .text("two")])
    #expect(desk.sent == [1, 2])
    #expect(desk.events.values.allSatisfy { $0.request == request.withoutOutgoing })
    desk.store.dispatch(.leave)
    try await server.allClosed()
    #expect(code.withLock { $0 } == 1000)
    #expect(await desk.store.shutdown().isClean)
    #expect(desk.events.count == 6)
  }

  @Test("a connection that the state takes no more sends no message, and closes")
  func unwanted() async throws {
    let texts = Recorder<String>()
    let server = try LoopbackServer(webSocket: { peer, _ in
      while let message = peer.message() { texts.append(message.text) }
      peer.close(1000)
    })
    try await inTime {
      let send = Send<WebSocketEvent> { event in
        if case .status(.open, of: _) = event { .fenced } else { .reduced }
      }
      let effect = WebSocketEffect(clock: TestClock())
      await effect.run(server.socket([.text(1)]), send: send)
    }
    try await server.allClosed()
    #expect(texts.values.isEmpty)
  }

  @Test("a request with more messages is handed over to the open connection, which sends each once")
  func handedOver() async throws {
    let server = try LoopbackServer(webSocket: { peer, number in
      while let message = peer.message() { peer.send("\(number):\(message.text)") }
    })
    let desk = SocketDesk()
    for count in 1...20 {
      let outgoing = (max(1, count - 5)...count).map(WebSocketOutgoing.text)
      try await desk.ask(for: server.socket(outgoing), until: 2 + count * 2)
    }
    #expect(desk.received == (1...20).map { .text("1:\($0)") })
    #expect(desk.sent == Array(1...20))
    #expect(await desk.store.shutdown().isClean)
  }

  @Test("the subprotocol that the server chooses is told, and the fields of the program are sent")
  func subprotocol() async throws {
    let head = Lock("")
    let server = try LoopbackServer { connection in
      guard
        let peer = WebSocketPeer(connection, subprotocol: "b", accept: WebSocketPeer.accept)
      else { return }
      head.withLock { $0 = peer.head }
      peer.close(4000, "enough")
      _ = peer.closeCode()
    }
    let desk = SocketDesk()
    var request = server.socket()
    request.subprotocols = ["a", "b"]
    request.headers["x-shop"] = "7"
    try await desk.ask(for: request, until: 3)
    #expect(
      desk.statuses == [
        .connecting(attempt: 1), .open(subprotocol: "b"),
        .closed(.closedByServer(code: 4000, reason: "enough")),
      ])
    #expect(head.withLock { $0 }.contains("\r\nSec-WebSocket-Protocol: a, b\r\n"))
    #expect(head.withLock { $0 }.contains("\r\nx-shop: 7\r\n"))
    try await server.allClosed()
    #expect(desk.clock.sleepers.isEmpty)
  }

  @Test("after a cut, everything that is still to be sent is sent again over the next connection")
  func sentAgain() async throws {
    let heard = Recorder<String>()
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      let isFirst = heard.count == 0
      for _ in 0..<(isFirst ? 3 : 2) { if let message = peer.message() { heard.append(message.text) } }
      peer.send("ack 1")
      if isFirst {
        _ = peer.message()
        connection.reset()
      } else {
        _ = peer.closeCode()
      }
    }
    let desk = SocketDesk { state, event in
      guard case .received(_, from: var socket) = event else { return }
      socket.outgoing = [.text(2), .text(3)]
      state.sockets = [socket]
    }
    desk.store.dispatch(.ask(server.socket([1, 2, 3].map(WebSocketOutgoing.text))))
    _ = try await inTime { try await heard.values(atLeast: 3) }
    try await eventually { desk.received.count == 1 }
    // One that the server reads before it cuts the connection.
    desk.store.dispatch(.ask(server.socket([2, 3, 4].map(WebSocketOutgoing.text))))
    try await desk.clock.sleepers(atLeast: 1)
    #expect(desk.statuses.last == .waiting(delay: .seconds(1), after: .failed(.cutOff)))
    desk.store.dispatch(.ask(server.socket([2, 3].map(WebSocketOutgoing.text))))
    desk.clock.advance(by: .seconds(1))
    _ = try await inTime { try await heard.values(atLeast: 5) }
    #expect(heard.values == ["1", "2", "3", "2", "3"])
    #expect(desk.statuses.contains(.connecting(attempt: 2)))
    #expect(await desk.store.shutdown().isClean)
  }

  @Test(
    "a server that goes away is connected to again; one that closes for good is not",
    arguments: [1001, 1013, 1000])
  func closedByServer(code: Int) async throws {
    let server = try LoopbackServer(webSocket: { peer, _ in
      peer.close(code)
      _ = peer.closeCode()
    })
    let desk = SocketDesk()
    try await desk.ask(for: server.socket(), until: 3)
    let end = WebSocketEnd.closedByServer(code: code, reason: "")
    #expect(desk.statuses.last == (code == 1000 ? .closed(end) : .waiting(delay: .seconds(1), after: end)))
    #expect(await desk.store.shutdown().isClean)
  }

  @Test("a message of 8 MiB goes there in fragments and back in one frame")
  func large() async throws {
    let fragments = Lock(0)
    let server = try LoopbackServer(webSocket: { peer, _ in
      while let message = peer.message() {
        fragments.withLock { $0 = message.fragments }
        peer.send(WebSocketPeer.Code.binary, message.payload)
      }
    })
    let bytes = Data((0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    let desk = SocketDesk()
    desk.store.dispatch(.ask(server.socket([WebSocketOutgoing(1, .binary(bytes))])))
    try await eventually { !desk.received.isEmpty }
    #expect(desk.received == [.binary(bytes)])
    #expect(fragments.withLock { $0 } == 128)
    #expect(await desk.store.shutdown().isClean)
  }

  @Test("a server that sends faster than its messages are reduced is slowed down")
  func backPressure() async throws {
    let (isBlocked, isOpen) = (ThreadGate(), Gate())
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      let frame = WebSocketPeer.frame(WebSocketPeer.Code.binary, Array(repeating: 7, count: 60_000))
      for _ in 0..<400 {
        // The client's system takes nothing more, since the client does not.
        if connection.isBlocked(milliseconds: 50) { isBlocked.open() }
        connection.write(frame)
      }
      peer.close(1000)
      _ = peer.closeCode()
    }
    let count = Lock(0)
    let request = server.socket()
    let run = Task {
      let send = Send<WebSocketEvent> { event in
        if case .received = event {
          count.withLock { $0 += 1 }
          await isOpen.waitIgnoringCancellation()
        }
        return .reduced
      }
      await WebSocketEffect(clock: TestClock()).run(request, send: send)
    }
    try await onOwnThread { isBlocked.wait() }
    #expect(count.withLock { $0 } <= 1)
    isOpen.open()
    try await inTime { await run.value }
    #expect(count.withLock { $0 } == 400)
  }

  @Test("an address that is none ends the request without a connection")
  func badAddress() async throws {
    let sent = Recorder<WebSocketEvent>()
    await WebSocketEffect(clock: TestClock()).run(WebSocketRequest("http://a/"), send: .recording(into: sent))
    guard case .status(.closed(.failed(.badURL)), of: _)? = sent.values.last else {
      Issue.record("\(sent.values)")
      return
    }
  }

  @Test(
    "a WebSocket goes through TLS, and through a proxy's tunnel",
    .enabled(if: TLSRelay.shared != nil, "there is no openssl or no python3 to speak TLS"),
    arguments: [false, true])
  func secure(byProxy: Bool) async throws {
    let relay = try #require(TLSRelay.shared)
    let server = try LoopbackServer(webSocket: { peer, _ in peer.echo() })
    let port = try #require(relay.port(for: server.port))
    let heads = Recorder<String>()
    let proxy = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      heads.append(head)
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      connection.tunnel(to: port)
    }
    let desk = SocketDesk(proxy: byProxy ? proxy.url("") : "", authorities: relay.authority)
    // 127.0.0.2 is not among the hosts that CI excepts from proxies.
    let host = byProxy ? "127.0.0.2" : "127.0.0.1"
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    desk.store.dispatch(
      .ask(
        WebSocketRequest(
          "wss://\(host):\(port)/", outgoing: [.text(1), WebSocketOutgoing(2, .binary(bytes))],
          timeout: nil, idleTimeout: nil)))
    try await eventually { desk.received.count == 2 }
    #expect(desk.received == [.text("1"), .binary(bytes)])
    #expect(heads.values.map { $0.hasPrefix("CONNECT \(host):\(port) ") } == (byProxy ? [true] : []))
    // The relay ends the TLS side when its client goes; the client waits no longer than the time for closing.
    desk.store.dispatch(.leave)
    try await eventually {
      desk.clock.advance(by: .seconds(2))
      return server.openConnections == 0
    }
    #expect(await desk.store.shutdown().isClean)
  }

  @Test(
    "without TLS a proxy is asked for a tunnel too, and one that refuses is told as such",
    arguments: [true, false])
  func tunnelled(agrees: Bool) async throws {
    let server = try LoopbackServer(webSocket: { peer, _ in peer.echo() })
    let heads = Recorder<String>()
    let proxy = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      heads.append(head)
      connection.write(agrees ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
      if agrees { connection.tunnel(to: server.port) }
    }
    let desk = SocketDesk(proxy: proxy.url(""))
    var request = server.socket([.text(1)])
    request.url = "ws://127.0.0.2:\(server.port)/"
    desk.store.dispatch(.ask(request))
    try await desk.events(agrees ? 4 : 2)
    #expect(heads.values.map { $0.hasPrefix("CONNECT 127.0.0.2:\(server.port) ") } == [true])
    #expect(desk.received == (agrees ? [.text("1")] : []))
    if !agrees { #expect(desk.statuses.last == .closed(.failed(.http(.proxy("it answered 403"))))) }
    desk.store.dispatch(.leave)
    try await eventually {
      desk.clock.advance(by: .seconds(2))
      return server.openConnections == 0
    }
    #expect(await desk.store.shutdown().isClean)
  }

  @Test("a certificate that nobody trusts is a failure that lasts", .enabled(if: TLSRelay.shared != nil))
  func untrusted() async throws {
    let relay = try #require(TLSRelay.shared)
    let server = try LoopbackServer(webSocket: { peer, _ in peer.echo() })
    let port = try #require(relay.port(for: server.port))
    let desk = SocketDesk()
    try await desk.ask(for: WebSocketRequest("wss://127.0.0.1:\(port)/", timeout: nil), until: 2)
    guard case .closed(.failed(.http(.tls)))? = desk.statuses.last else {
      Issue.record("\(desk.statuses)")
      return
    }
  }
}
#endif
