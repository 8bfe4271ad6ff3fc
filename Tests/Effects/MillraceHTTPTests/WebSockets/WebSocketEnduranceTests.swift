#if !canImport(Darwin)
import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Many messages, over connections that are cut into pieces and cut off.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct WebSocketEnduranceTests {
  /// How many messages are sent.
  private static let count = TestSize.count(2_000, full: 10_000)
  /// How many of them the state holds at a time.
  private static let atOnce = 50

  /// The message with a number: a random text or random bytes, of which the number is a part.
  private static func message(_ number: Int) -> WebSocketOutgoing {
    var random = SeededGenerator(seed: UInt64(number))
    let size = Int.random(in: 0..<400, using: &random)
    if number.isMultiple(of: 2) {
      let letters = (0..<size).map { _ in ["a", "é", "€", "😀"].randomElement(using: &random) ?? "" }
      return WebSocketOutgoing(number, .text("\(number):" + letters.joined()))
    }
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    return WebSocketOutgoing(number, .binary(Data("\(number):".utf8) + Data(bytes)))
  }

  private static func number(_ payload: some Collection<UInt8>) -> Int? {
    Int(String(decoding: payload.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
  }

  private static func bytes(_ message: WebSocketMessage) -> [UInt8] {
    switch message {
    case .text(let text): Array(text.utf8)
    case .binary(let bytes): Array(bytes)
    }
  }

  /// The state of a program that sends each message until it has come back.
  private static func reduce(_ state: inout SocketDesk.State, _ event: WebSocketEvent) {
    guard case .received(let message, from: _) = event, var socket = state.sockets.first,
      let number = number(bytes(message))
    else { return }
    socket.outgoing.removeAll { $0.number == number }
    if number + atOnce <= count { socket.outgoing.append(Self.message(number + atOnce)) }
    state.sockets = [socket]
  }

  private func request(_ server: LoopbackServer) -> WebSocketRequest {
    WebSocketRequest(
      server.socketURL, outgoing: (1...Self.atOnce).map(Self.message),
      backoff: Backoff(first: .milliseconds(1), factor: 1, cap: .milliseconds(1), jitter: 0), timeout: nil,
      idleTimeout: nil, largestFrame: 100)
  }

  /// Returns when every message has come back: each hundred of them in time, however long a busy machine takes for all.
  private func allReturned(to desk: SocketDesk, meanwhile: () -> Void = {}) async throws {
    for number in stride(from: 100, to: Self.count + 100, by: 100) {
      try await eventually {
        meanwhile()
        return desk.store.state.sockets.first?.outgoing.allSatisfy { $0.number > number } == true
      }
    }
  }

  @Test("very many messages go there and back in random fragments, each once and in order")
  func fragments() async throws {
    let fragments = Lock(0)
    let server = try LoopbackServer(webSocket: { peer, _ in
      var random = SeededGenerator(seed: 6455)
      while let message = peer.message() {
        fragments.withLock { $0 += message.fragments }
        let bytes = WebSocketPeer.fragments(message.payload, isText: message.isText, using: &random)
        // In pieces that end anywhere.
        let cut = Int.random(in: 0...bytes.count, using: &random)
        peer.write(Array(bytes[..<cut]))
        peer.write(Array(bytes[cut...]))
      }
    })
    let desk = SocketDesk(reduce: Self.reduce)
    desk.store.dispatch(.ask(request(server)))
    try await allReturned(to: desk)
    #expect(desk.received == (1...Self.count).map { Self.message($0).message })
    #expect(desk.sent == Array(1...Self.count))
    #expect(fragments.withLock { $0 } > 2 * Self.count)
    #expect(desk.statuses == [.connecting(attempt: 1), .open(subprotocol: nil)])
    #expect(await desk.store.shutdown().isClean)
  }

  @Test(
    "very many messages over connections that are cut at random reach a receiver that knows numbers once each"
  )
  func cuts() async throws {
    let taken = Recorder<Int>()
    let repeated = Lock(0)
    let connections = Lock(0)
    let server = try LoopbackServer { connection in
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      let number = connections.withLock { connections in
        connections += 1
        return connections
      }
      var random = SeededGenerator(seed: UInt64(number))
      var left = Int.random(in: 0..<150, using: &random)
      while let message = peer.message() {
        guard let number = Self.number(message.payload) else { continue }
        // The receiver takes the numbers in order: it knows them by the last one.
        if number == taken.count + 1 {
          taken.append(number)
        } else {
          repeated.withLock { $0 += 1 }
        }
        // Some connections end between the receipt of a message and its acknowledgement.
        if left == 0, Bool.random(using: &random) { return connection.reset() }
        peer.write(WebSocketPeer.fragments(message.payload, isText: message.isText, using: &random))
        if left == 0 { return }
        left -= 1
      }
    }
    let desk = SocketDesk(reduce: Self.reduce)
    desk.store.dispatch(.ask(request(server)))
    try await allReturned(to: desk) {
      if !desk.clock.sleepers.isEmpty { desk.clock.advance(by: .milliseconds(1)) }
    }
    #expect(taken.values == Array(1...Self.count))
    #expect(repeated.withLock { $0 } > 0)
    #expect(connections.withLock { $0 } > Self.count / 200)
    #expect(desk.sent.count >= Self.count)
    #expect(await desk.store.shutdown().isClean)
  }
}
#endif
