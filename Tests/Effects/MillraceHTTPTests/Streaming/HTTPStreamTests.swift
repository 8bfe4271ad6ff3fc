import Foundation
import HostileServer
import MillraceTesting
import Testing

@testable import MillraceHTTP

/// Against a real server, whose every byte a test decides.
@Suite(.serialized, .timeLimit(.minutes(30))) struct HTTPStreamTests {
  private func take(
    answer: String, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> TakenStream {
    let server = try LoopbackServer(answering: { _ in answer })
    var request = HTTPRequest(server.url(), timeout: nil)
    change(&request)
    let client = HTTPClient.untimed()
    let taken = await TakenStream.take(request, through: client)
    #expect(client.exchangesUnderWay == 0)
    try await server.allClosed()
    await server.stop()
    return taken
  }

  @Test(
    "a body comes whole and in order after its head, with its length if that was announced",
    arguments: [
      ("Content-Length: 5\r\n\r\nhello", "hello", 5),
      ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello", nil),
      ("\r\nhello", "hello", nil), ("Content-Length: 0\r\n\r\n", "", 0),
    ] as [(String, String, Int?)])
  func whole(answer: String, body: String, length: Int?) async throws {
    let taken = try await take(answer: "HTTP/1.1 200 OK\r\nX-Tag: a\r\n" + answer)
    #expect(taken.body == Data(body.utf8))
    #expect(taken.lengths == [length])
    #expect(taken.heads.map { $0.headers["x-tag"] } == ["a"])
    #expect(try taken.outcome?.get() == taken.heads[0])
    #expect(taken.parts.allSatisfy { !$0.isEmpty })
  }

  @Test("what came of a body before it was cut off is handed over, and counted")
  func cutOff() async throws {
    let taken = try await take(answer: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello")
    #expect(taken.body == Data("hello".utf8))
    #expect(taken.outcome == .failure(.cutOff(received: 5, expected: 20)))
  }

  @Test("a body that is larger than allowed is broken off, and no more than allowed is handed over")
  func tooLarge() async throws {
    let answer = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 1_000_000)
    let taken = try await take(answer: answer) { $0.largestBody = 100_000 }
    #expect(taken.outcome == .failure(.bodyTooLarge(limit: 100_000)))
    #expect(taken.body.count <= 100_000)
  }

  @Test("of a response that is not accepted nothing is handed over but the failure")
  func notAccepted() async throws {
    let taken = try await take(answer: "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone")
    guard case .failure(.statusNotAccepted(404, _, "gone")) = taken.outcome else {
      Issue.record("\(String(describing: taken.outcome))")
      return
    }
    #expect(taken.heads.isEmpty)
    #expect(taken.parts.isEmpty)
  }

  @Test(
    "a redirect that leads nowhere is handed over as the response that it is",
    arguments: ["", "Location: \r\n"])
  func nowhere(field: String) async throws {
    let taken = try await take(answer: "HTTP/1.1 302 Elsewhere\r\n\(field)Content-Length: 0\r\n\r\n") {
      $0.acceptedStatuses = HTTPRequest.anyStatus
    }
    #expect(taken.heads.map(\.status) == [302])
    #expect(try taken.outcome?.get().status == 302)
  }

  @Test("an address that is no HTTP address is refused")
  func badURL() async {
    #expect(await TakenStream.take(HTTPRequest("nowhere")).outcome == .failure(.badURL("nowhere")))
  }

  // MARK: Slow receivers

  @Test("what nobody takes for a while stays with its server, none of it is lost, and parts stay small")
  func backPressure() async throws {
    let held = Recorder<Bool>()
    let pattern = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let copies = 48
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(copies * pattern.count)\r\n\r\n")
      for _ in 0..<copies {
        if held.values.isEmpty, connection.isBlocked(milliseconds: 100) { held.append(true) }
        connection.write(pattern)
      }
      held.append(false)
    }
    var received = 0
    var differs = false
    var largest = 0
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
    #expect(largest <= 2 * TransferBuffer.capacity)
    try await server.allClosed()
    await server.stop()
  }

  @Test("streams that nobody takes hold up no other")
  func besideOthers() async throws {
    let server = try LoopbackServer { connection in
      guard let head = connection.readHead() else { return }
      if head.hasPrefix("GET /quick") {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
      } else {
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        connection.write([UInt8](repeating: 65, count: 3_000_000))
        connection.waitForClose()
      }
    }
    let client = HTTPClient.untimed()
    let gate = Gate()
    let held = (0..<10).map { number in
      Task {
        try await client.stream(
          HTTPRequest(server.url("/\(number)"), timeout: nil, largestBody: .max)
        ) { part in
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
    await server.stop()
  }

  // MARK: The end

  @Test("a receiver that wants no more has the connection closed, and gets the head")
  func stopped() async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
      connection.waitForClose()
    }
    let taken = await TakenStream.take(HTTPRequest(server.url(), timeout: nil)) { _ in .stop }
    #expect(try taken.outcome?.get().status == 200)
    #expect(taken.body == Data("hello".utf8))
    try await server.allClosed()
    await server.stop()
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
    await server.stop()
  }

  @Test("a stream in a task that is cancelled already does not reach the server")
  func cancelledBefore() async throws {
    let connections = Recorder<Void>()
    let server = try LoopbackServer { _ in connections.append(()) }
    let gate = Gate()
    let taking = Task {
      await gate.waitIgnoringCancellation()
      return await TakenStream.take(HTTPRequest(server.url())).outcome
    }
    taking.cancel()
    gate.open()
    #expect(await taking.value == .failure(.cancelled))
    await server.stop()
    #expect(connections.values.isEmpty)
  }
}
