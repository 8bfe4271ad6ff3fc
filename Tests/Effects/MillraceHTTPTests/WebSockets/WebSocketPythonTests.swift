#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Against a server that nobody here wrote.
@Suite(
  .enabled(if: PythonSocketServer.isThere, "there is no python3 with the package websockets to serve with"),
  .serialized, .timeLimit(.minutes(30)))
struct WebSocketPythonTests {
  private func started(in folder: TemporaryFolder, port: UInt16 = 0) async throws -> PythonSocketServer {
    try await onOwnThread { try PythonSocketServer(in: folder, port: port) }
  }

  private func request(_ url: String, _ outgoing: [WebSocketOutgoing] = []) -> WebSocketRequest {
    WebSocketRequest(
      url, outgoing: outgoing, backoff: Backoff(first: .seconds(1), factor: 1, cap: .seconds(1), jitter: 0),
      timeout: nil, idleTimeout: nil)
  }

  @Test("a subprotocol is agreed on, a ping is answered, and closing is agreed on")
  func agreement() async throws {
    let server = try await started(in: TemporaryFolder())
    let desk = SocketDesk()
    var request = request(server.url("ping"))
    request.subprotocols = ["offers", "orders"]
    try await desk.ask(for: request, until: 3)
    #expect(desk.statuses == [.connecting(attempt: 1), .open(subprotocol: "orders")])
    #expect(desk.received == [.text("pong")])
    // The clock does not move: the server agrees before the time for closing is over.
    desk.store.dispatch(.leave)
    try await inTime { await desk.store.settled() }
    #expect(await desk.store.shutdown().isClean)
    try await onOwnThread { server.end() }
  }

  @Test("a close of the server is told with its code and reason")
  func closed() async throws {
    let server = try await started(in: TemporaryFolder())
    let sent = Recorder<WebSocketEvent>()
    let request = request(server.url("close"))
    try await inTime {
      await WebSocketEffect(clock: TestClock()).run(request, send: .recording(into: sent))
    }
    #expect(sent.values.last == .status(.closed(.closedByServer(code: 4001, reason: "enough")), of: request))
    try await onOwnThread { server.end() }
  }

  @Test("a server that is killed again and again takes every message once")
  func killed() async throws {
    let (count, atOnce, kills) = (2_000, 40, 8)
    @Sendable func message(_ number: Int) -> WebSocketOutgoing {
      WebSocketOutgoing(number, .text("\(number):order"))
    }
    let folder = try TemporaryFolder()
    var server = try await started(in: folder)
    let desk = SocketDesk { state, event in
      guard case .received(.text(let text), from: _) = event, let number = Int(text),
        var socket = state.sockets.first
      else { return }
      socket.outgoing.removeAll { $0.number <= number }
      let last = socket.outgoing.last?.number ?? number
      if last < count { socket.outgoing += (last + 1...min(count, number + atOnce)).map(message) }
      state.sockets = [socket]
    }
    desk.store.dispatch(.ask(request(server.url("take"), (1...atOnce).map(message))))
    for kill in 1...kills {
      let goal = kill * count / (kills + 2)
      try await eventually { desk.received.count >= goal }
      let (ended, port) = (server, server.port)
      try await onOwnThread { ended.end() }
      try await eventually { desk.statuses.last?.isOpen == false }
      server = try await started(in: folder, port: port)
      try await eventually {
        if !desk.clock.sleepers.isEmpty { desk.clock.advance(by: .seconds(1)) }
        return desk.statuses.last?.isOpen == true
      }
    }
    try await eventually { desk.store.state.sockets.first?.outgoing.isEmpty == true }
    let taken = try String(decoding: folder.read("taken"), as: UTF8.self)
    #expect(taken == (1...count).map { "\($0)\n" }.joined())
    #expect(desk.statuses.count { $0.isOpen } == kills + 1)
    #expect(await desk.store.shutdown().isClean)
    let last = server
    try await onOwnThread { last.end() }
  }
}
#endif
