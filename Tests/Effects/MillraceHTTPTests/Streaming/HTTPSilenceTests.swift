import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct HTTPSilenceTests {
  @Test("a server that is silent for too long is given up", arguments: ["", "HTTP/1.1 200 OK\r\n\r\nhello"])
  func silent(answer: String) async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write(answer)
      connection.waitForClose()
    }
    let clock = TestClock()
    let client = HTTPClient(clock: clock)
    let begun = Recorder<Void>()
    let taken = await withTimePassing(by: clock, once: answer.isEmpty || begun.count == 1) {
      await TakenStream.take(HTTPRequest(server.url(), timeout: .seconds(5)), through: client) { _ in
        begun.append(())
        return .goOn
      }
    }
    #expect(taken.outcome == .failure(.timedOut))
    #expect(taken.body == Data(answer.suffix(answer.isEmpty ? 0 : 5).utf8))
    try await server.allClosed()
    await server.stop()
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
    let client = HTTPClient(clock: clock)
    let taken = await TakenStream.take(HTTPRequest(server.url(), timeout: .seconds(5)), through: client) {
      number in
      for _ in 0..<5 where number == 1 {
        _ = try? await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
      }
      gate.open()
      return .goOn
    }
    #expect(taken.body == Data("helloworld".utf8))
    #expect(try taken.outcome?.get().status == 200)
    await server.stop()
  }
}
