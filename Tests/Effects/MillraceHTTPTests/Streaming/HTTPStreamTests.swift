import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// Streams, and the effect that makes a request of the state one. `HTTPClientTests` has what a stream has in common with a
/// load.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct HTTPStreamTests {
  private let events = Recorder<HTTPStreamEvent>()

  private func makeStore(_ request: HTTPRequest) -> Store<Set<HTTPRequest>, HTTPStreamEvent?> {
    let store = Store<Set<HTTPRequest>, HTTPStreamEvent?>(initialState: [request], on: .immediate) {
      [events] state, event in
      if let event { events.append(event) } else { state = [] }
    }
    store.connect(HTTPStreamEffect(client: .untimed()), to: \.self, action: { $0 })
    return store
  }

  private var body: Data {
    Data(events.values.flatMap { if case .received(let bytes, of: _) = $0 { bytes } else { Data() } })
  }

  // MARK: The effect

  @Test("a response begins, comes in parts, and ends, and the parts are the body")
  func whole() async throws {
    let bytes = variedBytes(3_000_000)
    let server = try LoopbackServer(body: bytes)
    let request = HTTPRequest(server.url(), timeout: nil)
    await makeStore(request).settled()
    guard case .began(let response, length: bytes.count, of: request) = events.values.first else {
      Issue.record("\(String(describing: events.values.first))")
      return
    }
    #expect(response.status == 200)
    #expect(events.values.last == .ended(received: bytes.count, of: request))
    #expect(areEqual(body, Data(bytes)))
    #expect(events.values.allSatisfy { $0.request == request })
  }

  @Test("a response that is cut off is told as such after what has come of it")
  func cutOff() async throws {
    let server = try LoopbackServer(answering: { _ in "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello" })
    let request = HTTPRequest(server.url(), timeout: nil)
    await makeStore(request).settled()
    #expect(body == Data("hello".utf8))
    #expect(events.values.last == .failed(.cutOff(received: 5, expected: 9), of: request))
  }

  @Test("a request that leaves the state is broken off on the wire, and nothing more of it is reduced")
  func left() async throws {
    let server = try LoopbackServer(pausingAfter: "HTTP/1.1 200 OK\r\n\r\nhello")
    let store = makeStore(HTTPRequest(server.url(), timeout: nil))
    try await events.values(atLeast: 2)
    store.dispatch(nil)
    try await server.allClosed()
    await store.settled()
    #expect(events.count == 2)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }

  @Test("the next part is sent when the last one has been reduced")
  func paced() async throws {
    let server = try LoopbackServer(body: [UInt8](repeating: 65, count: 5_000_000))
    let gate = Gate()
    let send = Send<HTTPStreamEvent> { [events] event in
      events.append(event)
      await gate.waitIgnoringCancellation()
      return .reduced
    }
    let request = HTTPRequest(server.url(), timeout: nil)
    let running = Task { try await HTTPStreamEffect(client: .untimed()).run(request, send: send) }
    try await gate.waiters(atLeast: 1)
    #expect(events.count == 1)
    gate.open()
    try await running.value
    #expect(body.count == 5_000_000)
  }

  // MARK: Slow receivers

  @Test("what nobody takes for a while stays with its server, none of it is lost, and parts stay small")
  func backPressure() async throws {
    let held = Recorder<Bool>()
    let pattern = variedBytes(1_000_003)
    let copies = 24
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(copies * pattern.count)\r\n\r\n")
      // In parts for which there is room where there is any: a write of more would block, and tell nobody.
      for start in (0..<copies).flatMap({ _ in stride(from: 0, to: pattern.count, by: 16 << 10) }) {
        if held.values.isEmpty, connection.isBlocked(milliseconds: 100) { held.append(true) }
        connection.write(Array(pattern[start..<min(start + 16 << 10, pattern.count)]))
      }
      held.append(false)
    }
    var (received, differs, largest) = (0, false, 0)
    let request = HTTPRequest(server.url(), timeout: nil, largestBody: .max)
    try await HTTPClient.untimed().stream(request) { part in
      guard case .body(let bytes) = part else { return .goOn }
      largest = max(largest, bytes.count)
      if received == 0 { _ = try? await held.values(atLeast: 1) }
      bytes.withUnsafeBytes { bytes in
        for offset in bytes.indices where bytes[offset] != pattern[(received + offset) % pattern.count] {
          differs = true
        }
      }
      received += bytes.count
      return .goOn
    }
    #expect(held.values == [true, false])
    #expect(received == copies * pattern.count)
    #expect(!differs)
    #expect(largest <= Inside.largestPart)
    try await server.allClosed()
  }

  @Test("streams that nobody takes hold up no other")
  func besideOthers() async throws {
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      guard !head.hasPrefix("GET /quick") else {
        connection.write(page())
        return
      }
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      connection.write([UInt8](repeating: 65, count: 3_000_000))
      connection.waitForClose()
    }
    let client = HTTPClient.untimed()
    let gate = Gate()
    let held = (0..<10).map { number in
      Task {
        try await client.stream(HTTPRequest(server.url("/\(number)"), timeout: nil, largestBody: .max)) {
          part in
          if case .body = part { try? await gate.wait() }
          return .goOn
        }
      }
    }
    try await gate.waiters(atLeast: 10)
    #expect(
      await TakenStream.take(HTTPRequest(server.url("/quick")), through: client).body == Data("hi".utf8))
    #expect(try await client.load(HTTPRequest(server.url("/quick"))).body == Data("hi".utf8))
    for task in held { task.cancel() }
    for task in held { await #expect(throws: HTTPFailure.cancelled) { try await task.value } }
    #expect(client.exchangesUnderWay == 0)
  }

  // MARK: The end

  @Test("a receiver that wants no more has the connection closed, and gets the head")
  func stopped() async throws {
    let server = try LoopbackServer(pausingAfter: "HTTP/1.1 200 OK\r\n\r\nhello")
    let taken = await TakenStream.take(HTTPRequest(server.url(), timeout: nil)) { _ in .stop }
    #expect(try taken.outcome?.get().status == 200)
    #expect(taken.body == Data("hello".utf8))
    try await server.allClosed()
  }

  @Test(
    "cancelling a stream closes its connection, whether its server is silent or floods",
    arguments: [false, true])
  func cancelled(isFlooding: Bool) async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
      for _ in 0..<500 where isFlooding && connection.write([UInt8](repeating: 65, count: 100_000)) {}
      connection.waitForClose()
    }
    let begun = Recorder<Void>()
    let gate = Gate(isOpen: !isFlooding)
    let client = HTTPClient.untimed()
    let taking = Task {
      try await client.stream(HTTPRequest(server.url(), timeout: nil, largestBody: .max)) { part in
        guard case .body = part else { return .goOn }
        begun.append(())
        try? await gate.wait()
        return .goOn
      }
    }
    try await begun.values(atLeast: 1)
    taking.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await taking.value }
    try await server.allClosed()
    #expect(client.exchangesUnderWay == 0)
  }

  // MARK: Silence

  @Test("a server that is silent for too long is given up", arguments: ["", "HTTP/1.1 200 OK\r\n\r\nhello"])
  func silent(answer: String) async throws {
    let server = try LoopbackServer(pausingAfter: answer)
    let clock = TestClock()
    let begun = Recorder<Void>()
    let taken = await withTimePassing(by: clock, once: answer.isEmpty || begun.count == 1) {
      await TakenStream.take(HTTPRequest(server.url(), timeout: .seconds(5)), through: .untimed(clock: clock))
      { _ in
        begun.append(())
        return .goOn
      }
    }
    #expect(taken.outcome == .failure(.timedOut))
    #expect(taken.body == Data(answer.suffix(answer.isEmpty ? 0 : 5).utf8))
    try await server.allClosed()
  }

  @Test("time that the receiver takes is not the server's silence")
  func slowReceiver() async throws {
    let gate = ThreadGate()
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      gate.wait()
      connection.write("world")
    }
    let clock = TestClock()
    let request = HTTPRequest(server.url(), timeout: .seconds(5))
    let taken = await TakenStream.take(request, through: .untimed(clock: clock)) { number in
      for _ in 0..<5 where number == 1 {
        _ = try? await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
      }
      gate.open()
      return .goOn
    }
    #expect(taken.body == Data("helloworld".utf8))
    #expect(try taken.outcome?.get().status == 200)
  }
}
