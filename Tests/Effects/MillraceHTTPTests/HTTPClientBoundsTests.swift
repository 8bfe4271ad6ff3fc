import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

/// The bounds of size and time that a request sets.
@Suite(.serialized) struct HTTPClientBoundsTests {
  @Test("a body of the largest size is accepted, one byte more is not")
  func largestBody() async throws {
    let answer = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 100)
    #expect(try await outcome(answer: answer) { $0.largestBody = 100 }.get().body.count == 100)
    #expect(try await outcome(answer: answer) { $0.largestBody = 99 } == .failure(.bodyTooLarge(limit: 99)))
  }

  @Test("a body without end is broken off, and the connection is closed")
  func endlessBody() async throws {
    let closed = Recorder<Bool>()
    let outcome = try await outcome(
      script: { connection in
        _ = connection.readHead()
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        for _ in 0..<1_000 where connection.write([UInt8](repeating: 65, count: 10_000)) {}
        connection.waitForClose()
        closed.append(true)
      }, { $0.largestBody = 1_000_000 })
    #expect(outcome == .failure(.bodyTooLarge(limit: 1_000_000)))
    #expect(closed.count == 1)
  }

  @Test("a body that announces to be too large is refused before it comes")
  func announcedTooLarge() async throws {
    let outcome = try await outcome(
      script: { connection in
        _ = connection.readHead()
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
        connection.waitForClose()
      }, { $0.largestBody = 1_000 })
    #expect(outcome == .failure(.bodyTooLarge(limit: 1_000)))
  }

  @Test("a compressed body counts as large as it becomes")
  func compressed() async throws {
    // 1,000,000 zero bytes, compressed by gzip.
    let bytes = try #require(Data(base64Encoded: compressedZeros))
    let outcome = try await outcome(
      script: { connection in
        _ = connection.readHead()
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
        connection.write(Array(bytes))
        connection.waitForClose()
      }, { $0.largestBody = 500_000 })
    #expect(outcome == .failure(.bodyTooLarge(limit: 500_000)))
  }

  @Test("a server that does not answer is given up when the time is over, and the connection is closed")
  func timeout() async throws {
    let server = try LoopbackServer { connection in
      _ = connection.readHead()
      connection.waitForClose()
    }
    let clock = TestClock()
    let client = HTTPClient(clock: clock)
    let loading = Task { try await client.load(HTTPRequest(server.url(), timeout: .seconds(5))) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTPFailure.timedOut) { try await loading.value }
    #expect(client.exchangesUnderWay == 0)
    await server.stop()
  }

  @Test("a server that answers byte by byte does not get more time by that")
  func trickle() async throws {
    let step = Recorder<Bool>()
    let server = try LoopbackServer { connection in
      _ = connection.readHead()
      connection.write("HTTP/1.1 200 OK\r\n\r\na")
      step.append(true)
      connection.waitForClose()
    }
    let clock = TestClock()
    let loading = Task {
      try await HTTPClient(clock: clock).load(HTTPRequest(server.url(), timeout: .seconds(5)))
    }
    try await step.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTPFailure.timedOut) { try await loading.value }
    await server.stop()
  }

  @Test("no time at all is over at once", arguments: [Duration.zero, .seconds(-1)])
  func noTime(timeout: Duration) async throws {
    let server = try LoopbackServer { $0.waitForClose() }
    #expect(await outcome(of: HTTPRequest(server.url(), timeout: timeout)) == .failure(.timedOut))
    await server.stop()
  }

  @Test("an absurdly long timeout does not trap")
  func longTimeout() async throws {
    let outcome = try await outcome(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") {
      $0.timeout = .seconds(Int64.max)
    }
    #expect(try outcome.get().status == 200)
  }
}

private let compressedZeros =
  "H4sIAAAAAAACA+3BAQEAAACCIP+vbkhAAQ" + String(repeating: "A", count: 1290)
  + "rwaey3kSQEIPAA=="
