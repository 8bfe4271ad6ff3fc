import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct HTTPStreamEffectTests {
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

  @Test("a response begins, comes in parts, and ends, and the parts are the body")
  func whole() async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
      connection.write(bytes)
    }
    let request = HTTPRequest(server.url(), timeout: nil)
    let store = makeStore(request)
    await store.settled()
    guard case .began(let response, length: bytes.count, of: request) = events.values.first else {
      Issue.record("\(String(describing: events.values.first))")
      return
    }
    #expect(response.status == 200)
    #expect(events.values.last == .ended(received: bytes.count, of: request))
    #expect(areEqual(body, Data(bytes)))
    #expect(events.values.allSatisfy { $0.request == request })
    await server.stop()
  }

  @Test("a response that is cut off is told as such after what has come of it")
  func cutOff() async throws {
    let server = try LoopbackServer(answering: { _ in "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello" })
    let request = HTTPRequest(server.url(), timeout: nil)
    await makeStore(request).settled()
    #expect(body == Data("hello".utf8))
    #expect(events.values.last == .failed(.cutOff(received: 5, expected: 9), of: request))
    await server.stop()
  }

  @Test("a request that leaves the state is broken off on the wire, and nothing more of it is reduced")
  func left() async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
      connection.waitForClose()
    }
    let store = makeStore(HTTPRequest(server.url(), timeout: nil))
    try await events.values(atLeast: 2)
    store.dispatch(nil)
    try await server.allClosed()
    await store.settled()
    #expect(events.count == 2)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
    await server.stop()
  }

  @Test("the next part is sent when the last one has been reduced")
  func paced() async throws {
    let server = try LoopbackServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
      connection.write([UInt8](repeating: 65, count: 5_000_000))
    }
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
    await server.stop()
  }
}
