import Foundation
import HostileServer
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceHTTP

@Suite(.stopsServers) struct WebSocketSessionTests {
  private typealias Peer = WebSocketPeer
  private typealias Code = WebSocketPeer.Code

  /// A session whose masks are all zero, so that what it writes can be read.
  private struct NoMask: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { 0 }
  }

  private func session(
    _ outgoing: [WebSocketOutgoing] = [], largestFrame: Int = 64 << 10
  ) throws -> WebSocketSession {
    try WebSocketSession(
      WebSocketRequest("ws://a", outgoing: outgoing, largestMessage: 1_000, largestFrame: largestFrame),
      masks: NoMask())
  }

  /// A session that the server has agreed to, with the steps of that.
  private func opened(
    _ outgoing: [WebSocketOutgoing] = [], largestFrame: Int = 64 << 10, rest: [UInt8] = []
  ) throws -> (WebSocketSession, [WebSocketSession.Step]) {
    var session = try session(outgoing, largestFrame: largestFrame)
    guard case .write(let bytes)? = session.connected().first else { throw WebSocketFailure.cutOff }
    #expect(session.wrote(bytes.count).isEmpty)
    let key = Peer.key(in: String(decoding: bytes, as: UTF8.self))
    let answer = Peer.answer(accept: WebSocketHandshake.accept(key))
    let steps = session.received(Array(answer.utf8) + rest)
    return (session, steps)
  }

  private func frame(_ code: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) -> WebSocketSession.Step {
    var bytes = Peer.frame(code, payload, isFinal: isFinal)
    bytes[1] |= 0x80
    bytes.insert(contentsOf: [0, 0, 0, 0], at: bytes.count - payload.count)
    return .write(bytes)
  }

  @Test("messages are sent once the server agrees, and what follows its answer is read")
  func opens() throws {
    let (session, steps) = try opened([.text(1), .text(2)], rest: Peer.frame(Code.text, [65]))
    #expect(
      steps == [
        .opened(subprotocol: nil), frame(Code.text, [49]), frame(Code.text, [50]), .received(.text("A")),
      ])
    #expect(session.isOpen && session.wasUsed && session.end == nil)
  }

  @Test("a message is sent once over a connection, however often the list changes; a removed one is not sent")
  func handsOver() throws {
    var (session, _) = try opened([.text(1)])
    #expect(session.changed([.text(1), .text(2)]) == [frame(Code.text, [50])])
    #expect(session.changed([.text(2)]).isEmpty)
    #expect(session.changed([]).isEmpty)
    #expect(session.changed([.text(2), .text(3), .text(3)]).count == 2)
  }

  @Test("a large message is sent in fragments while there is room, and answers to pings go in between")
  func window() throws {
    let large = WebSocketOutgoing(7, .binary(Data(repeating: 1, count: 100_000)))
    var (session, steps) = try opened([large, .text(8)], largestFrame: 40_000)
    #expect(steps.count == 3)  // opened, and two fragments, which fill the window
    #expect(session.received(Peer.frame(Code.ping, [1]) + Peer.frame(Code.ping, [2])).isEmpty)
    // Removed from the list, it is sent to its end all the same: the server has its beginning.
    #expect(session.changed([.text(8)]).isEmpty)
    var total = 0
    func count(_ steps: [WebSocketSession.Step]) -> Int {
      steps.reduce(0) { if case .write(let bytes) = $1 { $0 + bytes.count } else { $0 } }
    }
    let handshake = try Self.handshakeSize()
    total = handshake + count(steps)
    steps = session.wrote(total)
    #expect(
      steps == [
        frame(Code.pong, [2]), frame(Code.continuation, Array(repeating: 1, count: 20_000)),
        frame(Code.text, [56]),
      ])
    total += count(steps)
    #expect(session.wrote(total - 1) == [.sent(7)])
    #expect(session.wrote(total) == [.sent(8)])
  }

  @Test("the server's close is answered with its code, and nothing is read or sent after it")
  func closes() throws {
    var (session, _) = try opened()
    let steps = session.received(
      Peer.frame(Code.close, [3, 0xE9] + Array("bye".utf8)) + Peer.frame(Code.text, [65]))
    #expect(steps == [frame(Code.close, [3, 0xE9])])
    #expect(session.changed([.text(1)]).isEmpty)
    #expect(session.received(Peer.frame(Code.text, [65])).isEmpty)
    #expect(session.isClosing && !session.isOver && !session.wasUsed)
    session.ended(nil)
    #expect(session.isOver && session.end == .closedByServer(code: 1001, reason: "bye"))
  }

  @Test(
    "a stopped session closes with 1000 and has no end of its own; before it is open, there is nothing to close"
  )
  func stops() throws {
    var (session, _) = try opened()
    #expect(session.stopped() == [frame(Code.close, [3, 0xE8])])
    #expect(session.stopped().isEmpty)
    session.ended(nil)
    #expect(session.end == nil)
    var early = try self.session()
    #expect(early.stopped().isEmpty)
    #expect(early.isOver && early.end == nil)
  }

  @Test(
    "after half of the longest silence a ping is sent, and after the other half the connection is given up")
  func silence() throws {
    var (session, _) = try opened(rest: Peer.frame(Code.pong, []))
    #expect(session.ticked().isEmpty)  // the pong was heard
    #expect(session.ticked() == [frame(Code.ping)])
    #expect(session.received(Peer.frame(Code.pong, [])).isEmpty)
    #expect(session.ticked().isEmpty)
    #expect(session.ticked() == [frame(Code.ping)])
    #expect(session.ticked().isEmpty)
    #expect(session.isOver && session.end == .failed(.silent))
  }

  @Test("the end of a connection means what the session was doing")
  func ends() throws {
    let failures: [HTTPFailure] = [.hostNotFound("a"), .tls("b")]
    for failure in failures {
      var connecting = try session()
      connecting.ended(failure)
      #expect(connecting.end == .failed(.http(failure)))
    }
    var handshake = try session()
    _ = handshake.connected()
    handshake.ended(nil)
    #expect(handshake.end == .failed(.http(.cutOff(received: 0, expected: nil))))
    var late = try session()
    late.timedOut()
    #expect(late.end == .failed(.http(.timedOut)) && late.isOver)
    for failure in [nil, HTTPFailure.cutOff(received: 0, expected: nil)] {
      var (open, _) = try opened()
      open.timedOut()
      open.ended(failure)
      #expect(open.end == .failed(.cutOff))
    }
  }

  @Test("attempts count from the last connection that was used, wait longer and longer, and heed the server")
  func attempts() {
    let request = WebSocketRequest(
      "ws://a", backoff: Backoff(first: .seconds(1), cap: .seconds(3), jitter: 0))
    var attempts = WebSocketAttempts(request)
    for seconds in [1, 2, 3, 3] {
      #expect(
        attempts.connectionEnded(.failed(.cutOff), wasUsed: false) == .seconds(seconds))
    }
    #expect(attempts.attempt == 5)
    #expect(attempts.connectionEnded(.failed(.silent), wasUsed: true) == .seconds(1))
    #expect(attempts.attempt == 2)
    let busy = HTTPFailure.statusNotAccepted(status: 503, headers: ["retry-after": "60"], excerpt: "")
    #expect(attempts.connectionEnded(.failed(.http(busy)), wasUsed: false) == .seconds(60))
  }

  @Test("what may pass is tried again, and nothing else")
  func transience() {
    let lasting: [WebSocketFailure] = [
      .badURL(""), .http(.tls("")), .notAWebSocket(""), .protocolViolation(""), .invalidText,
      .messageTooLarge(limit: 1), .tooManyFragments(limit: 1),
    ]
    #expect(lasting.allSatisfy { !$0.isTransient && !WebSocketEnd.failed($0).isTransient })
    #expect([WebSocketFailure.cutOff, .silent, .http(.timedOut)].allSatisfy { $0.isTransient })
    let codes = (1000...4999).filter { WebSocketEnd.closedByServer(code: $0, reason: "").isTransient }
    #expect(codes == [1001, 1011, 1012, 1013, 1014])
    #expect(!WebSocketEnd.closedByServer(code: nil, reason: "").isTransient)
    #expect(Set((lasting + [.cutOff, .silent]).map(\.description)).count == lasting.count + 2)
  }

  /// How many bytes the handshake has.
  private static func handshakeSize() throws -> Int {
    try WebSocketHandshake(WebSocketRequest("ws://a"), key: Array(repeating: 0, count: 16)).bytes.count
  }

  #if !canImport(Darwin)
  @Test("nothing stays behind: no socket, no thread, no descriptor")
  func leavesNothing() async throws {
    let transport = CurlSockets()
    let server = try LoopbackServer(webSocket: { peer, _ in peer.echo() })
    let requests = (1...20).map { number in
      var request = server.socket([.text(number)])
      request.attempt = number
      return request
    }
    for request in requests {
      let received = Recorder<WebSocketEvent>()
      let run = Task {
        await WebSocketEffect(clock: TestClock(), breaker: { _ in nil }, open: transport.open).run(
          request, send: .recording(into: received))
      }
      _ = try await inTime { try await received.values(atLeast: 4) }
      run.cancel()
      try await inTime { await run.value }
    }
    try await server.allClosed()
    try await eventually { !transport.hasThread }
  }

  @Test("a library that is missing is a failure that lasts")
  func missingLibrary() async throws {
    let transport = CurlSockets(library: .failure(.unsupported("no library")))
    let sent = Recorder<WebSocketEvent>()
    let request = WebSocketRequest("ws://127.0.0.1:1/")
    await WebSocketEffect(clock: TestClock(), breaker: { _ in nil }, open: transport.open).run(
      request, send: .recording(into: sent))
    #expect(
      sent.values.last
        == .status(.closed(.failed(.http(.unsupported("no library")))), of: request))
    #expect(!transport.hasThread)
  }

  @Test("a value that is handed over while a connection begins is not missed")
  func handedOverEarly() async throws {
    let newest = NewestRequest(WebSocketRequest("ws://a"))
    let channel = WebSocketChannel()
    newest.handedOver(WebSocketRequest("ws://a", outgoing: [.text(1)]))
    newest.continues(over: channel)
    #expect(try await inTime { await channel.next().signals.contains(.changed) })
    #expect(newest.value.outgoing == [.text(1)])
  }
  #endif
}
