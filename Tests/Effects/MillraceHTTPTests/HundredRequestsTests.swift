import Foundation
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

/// A hundred requests, eight at a time, to a server that treats each tenth of them in its own way.
@Suite(.serialized, .timeLimit(.minutes(30))) struct HundredRequestsTests {
  private enum Treatment: Int, CaseIterable, Sendable {
    case answered, slow, cutOff, reset, longerThanAnnounced, endless, redirectLoop, missing, busy, tooLarge

    /// Whether `outcome` is the one that this treatment is to have.
    func explains(_ outcome: Result<HTTPResponse, HTTPFailure>) -> Bool {
      switch (self, outcome) {
      case (.answered, .success(let response)), (.slow, .success(let response)),
        (.longerThanAnnounced, .success(let response)):
        response.status == 200 && response.body == Data("hi".utf8)
      case (.cutOff, .failure(.cutOff(received: 5, expected: 20))): true
      // Whether the head was read before the reset came is the network's affair.
      case (.reset, .failure(.cutOff(received: 0, _))): true
      case (.endless, .failure(.bodyTooLarge(limit: 1_000))): true
      case (.redirectLoop, .failure(.tooManyRedirects(limit: 3))): true
      case (.missing, .failure(.statusNotAccepted(404, _, "not here"))): true
      case (.busy, .failure(.statusNotAccepted(503, _, ""))): true
      case (.tooLarge, .failure(.bodyTooLarge(limit: 1_000))): true
      default: false
      }
    }

    func answer(_ connection: LoopbackConnection, at path: String) {
      switch self {
      case .answered, .slow: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
      case .cutOff: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello")
      case .reset:
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
        connection.reset()
      case .longerThanAnnounced:
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, and much more")
      case .endless:
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        for _ in 0..<100 where connection.write([UInt8](repeating: 65, count: 10_000)) {}
        connection.waitForClose()
      case .redirectLoop:
        connection.write("HTTP/1.1 302 Found\r\nLocation: \(path)\r\nContent-Length: 0\r\n\r\n")
      case .missing: connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 8\r\n\r\nnot here")
      case .busy: connection.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
      case .tooLarge:
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
        connection.waitForClose()
      }
    }

    /// Whether the connection can serve another request.
    var keepsConnection: Bool {
      [.answered, .slow, .redirectLoop, .missing, .busy].contains(self)
    }
  }

  /// How many requests the server has at the moment, and had at most.
  private struct Load: Sendable {
    var now = 0
    var most = 0
  }

  private struct State: Equatable, Sendable {
    var wanted: Set<HTTPRequest> = []
    var outcomes: [HTTPRequest: Result<HTTPResponse, HTTPFailure>] = [:]
    var surplus = 0
  }

  private static func reduce(_ state: inout State, _ event: HTTPEvent) {
    let outcome: Result<HTTPResponse, HTTPFailure> =
      switch event {
      case .response(let response, to: _): .success(response)
      case .failed(let failure, of: _): .failure(failure)
      }
    if state.outcomes.updateValue(outcome, forKey: event.request) != nil { state.surplus += 1 }
    state.wanted.remove(event.request)
  }

  @Test("a hundred requests, eight at a time, each end as they should, and leave nothing open")
  func hundred() async throws {
    let gate = ThreadGate()
    let slow = ThreadGate()
    let arrived = Recorder<String>()
    let load = Lock(Load())
    let server = try LoopbackServer { connection in
      while let head = connection.readHead() {
        let path = String(head.split(separator: " ")[1])
        guard let treatment = Int(path.suffix(1)).flatMap(Treatment.init) else { return }
        load.withLock { load in
          load.now += 1
          load.most = max(load.most, load.now)
        }
        arrived.append(path)
        gate.wait()
        if treatment == .slow { slow.wait() }
        load.withLock { $0.now -= 1 }
        treatment.answer(connection, at: path)
        guard treatment.keepsConnection else { return }
      }
    }
    let requests = (0..<100).map { number in
      HTTPRequest(
        server.url("/\(number)"), timeout: nil, redirects: .follow(atMost: 3), largestBody: 1_000)
    }

    var client: HTTPClient? = .untimed(connectionsPerHost: 8)
    let limit = ConcurrencyLimit(8)
    var store: Store? = Store(
      initialState: State(wanted: Set(requests)), on: .immediate, reduce: Self.reduce)
    if let client {
      store?.connect(HTTPEffect(client: client).limited(by: limit), to: \.wanted)
    }

    // Eight are at the server, and all others wait for their turn.
    try await arrived.values(atLeast: 8)
    try await eventually { limit.waiting == 92 }
    #expect(arrived.count == 8)
    #expect(server.clientSockets == 8)
    gate.open()
    try await eventually {
      arrived.values.contains { $0.hasSuffix("\(Treatment.slow.rawValue)") }
    }
    slow.open()

    await store?.settled()
    let state = try #require(store?.state)
    for (number, request) in requests.enumerated() {
      let treatment = try #require(Treatment(rawValue: number % 10))
      let outcome = try #require(state.outcomes[request])
      #expect(treatment.explains(outcome), "\(treatment): \(outcome)")
    }
    #expect(state.wanted.isEmpty)
    #expect(state.surplus == 0)
    #expect(load.withLock { $0.most } == 8)
    #expect(limit.waiting == 0)
    #expect(client?.exchangesUnderWay == 0)
    #expect(store?.activity.entries.flatMap(\.work).map(\.description) == [])

    weak let remaining = client
    client = nil
    store = nil
    try await server.allClosed()
    #expect(remaining == nil)
    #expect(server.openConnections == 0)
    #expect(server.clientSockets == 0)
    await server.stop()
  }
}
