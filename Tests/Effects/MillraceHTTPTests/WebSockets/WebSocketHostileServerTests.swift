#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Against a server that breaks the rules of WebSockets, byte by byte.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct WebSocketHostileServerTests {
  private func request(_ server: LoopbackServer) -> WebSocketRequest {
    WebSocketRequest(
      server.socketURL, timeout: nil, idleTimeout: nil, largestMessage: HostileFrame.largestMessage)
  }

  /// What comes of one connection. An effect that would connect again is stopped.
  private func end(of request: WebSocketRequest) async throws -> (WebSocketEnd, received: Int) {
    let received = Lock(0)
    let end = Recorder<WebSocketEnd>()
    try await inTime {
      let send = Send<WebSocketEvent> { event in
        switch event {
        case .received: received.withLock { $0 += 1 }
        case .status(.waiting(_, after: let how), of: _), .status(.closed(let how), of: _):
          end.append(how)
          return .fenced
        default: break
        }
        return .reduced
      }
      await WebSocketEffect(clock: TestClock()).run(request, send: send)
    }
    return (try #require(end.values.first), received.withLock { $0 })
  }

  @Test("each hostile frame ends its connection with the right code, and what came before it is delivered")
  func frames() async throws {
    let codes = Recorder<Int?>()
    let server = try LoopbackServer(webSocket: { peer, number in
      peer.write(HostileFrame.all[number - 1].bytes)
      codes.append(peer.closeCode())
    })
    for (index, frame) in HostileFrame.all.enumerated() {
      let (end, received) = try await end(of: request(server))
      // Before the next connection, which is served by another thread.
      _ = try await inTime { try await codes.values(atLeast: index + 1) }
      guard case .failed(let failure) = end else {
        Issue.record("\(frame): \(end)")
        continue
      }
      #expect(failure.code == frame.closeCode, "\(frame)")
      #expect(!failure.isTransient)
      #expect(received <= frame.messagesBefore)
    }
    #expect(codes.values == HostileFrame.all.map { Optional($0.closeCode) })
    try await server.allClosed()
  }

  @Test("the effect goes on after a hostile server: the next connection is a good one")
  func afterwards() async throws {
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      if peer.head.hasPrefix("GET /bad") {
        peer.send(WebSocketPeer.Code.continuation)
      } else {
        peer.send("good")
      }
      _ = peer.closeCode()
    }
    let desk = SocketDesk()
    try await desk.ask(
      for: WebSocketRequest(server.socketURL + "bad", timeout: nil, idleTimeout: nil), until: 3)
    try await desk.ask(
      for: WebSocketRequest(server.socketURL + "good", timeout: nil, idleTimeout: nil), until: 6)
    #expect(desk.received == [.text("good")])
    #expect(await desk.store.shutdown().isClean)
  }

  /// What a server does instead of agreeing, and whether that may pass.
  struct Handshake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isTransient: Bool
    let script: @Sendable (LoopbackConnection, String) -> Void

    init(_ name: String, passes: Bool, _ script: @escaping @Sendable (LoopbackConnection, String) -> Void) {
      (testDescription, isTransient, self.script) = (name, passes, script)
    }

    static let all = [
      Handshake("closes before its answer", passes: true) { connection, _ in connection.close() },
      Handshake("resets before its answer", passes: true) { connection, _ in connection.reset() },
      Handshake("closes within its answer", passes: true) { connection, key in
        connection.write(String(WebSocketPeer.answer(accept: WebSocketPeer.accept(key)).dropLast(2)))
      },
      Handshake("closes after its answer", passes: true) { connection, key in
        connection.write(WebSocketPeer.answer(accept: WebSocketPeer.accept(key)))
      },
      Handshake("closes within a frame", passes: true) { connection, key in
        connection.write(WebSocketPeer.answer(accept: WebSocketPeer.accept(key)))
        connection.write([0x81, 5, 65])
      },
      Handshake("accepts another key", passes: false) { connection, key in
        connection.write(WebSocketPeer.answer(accept: WebSocketPeer.accept(key + "=")))
      },
      Handshake("echoes the key", passes: false) { connection, key in
        connection.write(WebSocketPeer.answer(accept: key))
      },
      Handshake("switches without a field", passes: false) { connection, _ in
        connection.write("HTTP/1.1 101 Switching Protocols\r\n\r\n")
      },
      Handshake("chooses an extension", passes: false) { connection, key in
        connection.write(
          WebSocketPeer.answer(
            accept: WebSocketPeer.accept(key), fields: "Sec-WebSocket-Extensions: permessage-deflate\r\n"
          ))
      },
      Handshake("chooses a subprotocol", passes: false) { connection, key in
        connection.write(
          WebSocketPeer.answer(
            accept: WebSocketPeer.accept(key), fields: "Sec-WebSocket-Protocol: chat\r\n"))
      },
      Handshake("answers 200", passes: false) { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      },
      Handshake("redirects", passes: false) { connection, _ in
        connection.write("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
      },
      Handshake("answers 401", passes: false) { connection, _ in
        connection.write("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
      },
      Handshake("answers 503", passes: true) { connection, _ in
        connection.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
      },
      Handshake("is no HTTP", passes: false) { connection, _ in connection.write("SSH-2.0-OpenSSH_9\r\n") },
      Handshake("sends frames at once", passes: false) { connection, _ in
        connection.write(WebSocketPeer.frame(1, Array("hello\n".utf8)))
      },
      Handshake("has a field without a colon", passes: false) { connection, _ in
        connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade\r\n\r\n")
      },
      Handshake("has an endless head", passes: false) { connection, _ in
        connection.write("HTTP/1.1 101 Switching Protocols\r\n")
        while connection.write("a: " + String(repeating: "b", count: 1_000) + "\r\n") {}
      },
      Handshake("has an endless line", passes: false) { connection, _ in
        while connection.write(String(repeating: "b", count: 1_000)) {}
      },
    ]
  }

  @Test("a server that does not agree is a failure of the right kind", arguments: Handshake.all)
  func handshakes(handshake: Handshake) async throws {
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      handshake.script(connection, WebSocketPeer.key(in: head))
    }
    let (end, received) = try await end(of: request(server))
    guard case .failed = end else {
      Issue.record("\(end)")
      return
    }
    #expect(end.isTransient == handshake.isTransient, "\(end)")
    #expect(received == 0)
    try await server.allClosed()
  }

  @Test("a flood of pings is answered by the last ones, and holds no memory")
  func floodOfPings() async throws {
    let pongs = Recorder<[UInt8]>()
    let server = try LoopbackServer(webSocket: { peer, _ in
      let ping = WebSocketPeer.frame(WebSocketPeer.Code.ping, Array(repeating: 9, count: 125))
      let flood = Array((0..<2_000).map { _ in ping }.joined())
      for _ in 0..<50 { peer.write(flood) }
      peer.send(WebSocketPeer.Code.ping, [1])
      while let frame = peer.frame() {
        pongs.append(frame.payload)
        if frame.payload == [1] { break }
      }
      peer.close(1000)
      _ = peer.closeCode()
    })
    let (end, _) = try await end(of: request(server))
    #expect(end == .closedByServer(code: 1000, reason: ""))
    #expect(pongs.values.last == [1])
    #expect(pongs.count <= 100_001)
  }
}
#endif
