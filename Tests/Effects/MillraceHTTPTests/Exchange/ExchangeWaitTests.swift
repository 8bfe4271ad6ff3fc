import Foundation
import HostileServer
import Millrace
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// What a run waits for while it exchanges messages with a server: a test store that settles waits for the server, although
/// the timeout of the exchange is a second task, which waits for the test.
@Suite(.stopsServers, .serialized, .timeLimit(.minutes(30))) struct ExchangeWaitTests {
  enum Way: CaseIterable { case load, stream, upload, download }

  struct State: Equatable, Sendable {
    var way: Way?
    var status: Int?
  }

  enum Action: Equatable, Sendable {
    case asked(Way?)
    case answered(Int)
    case failed(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .asked(let way): state.way = way
    case .answered(let status): state = State(status: status)
    case .failed: state = State()
    }
  }

  private let folder: TemporaryFolder
  private let answer = ThreadGate()

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Data([1]), to: "photo")
  }

  /// A server that answers once `answer` is open.
  private func server() throws -> LoopbackServer {
    try LoopbackServer { [answer] connection in
      guard let head = connection.readHead() else { return }
      if head.hasPrefix("PUT ") { _ = connection.read(1) }
      answer.wait()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnews")
    }
  }

  /// Makes one exchange with a server, and returns the status of the answer.
  private func exchange(_ way: Way, through client: HTTPClient, _ request: HTTPRequest) async throws -> Int {
    let statuses = Recorder<Int>()
    switch way {
    case .load: return try await client.load(request).status
    case .stream: return try await client.stream(request) { _ in .goOn }.status
    case .upload:
      var request = request
      request.method = "PUT"
      let send = Send<HTTPUploadEvent> { event in
        if case .response(let response, to: _) = event { statuses.append(response.status) }
        return .reduced
      }
      try await HTTPUploadEffect(client: client).run(
        HTTPUploadRequest(request, from: folder.file("photo")), send: send)
    case .download:
      let send = Send<HTTPDownloadEvent> { event in
        if case .finished(let response, received: _, of: _) = event { statuses.append(response.status) }
        return .reduced
      }
      try await HTTPDownloadEffect(client: client).run(
        HTTPDownloadRequest(request, to: folder.file("news")), send: send)
    }
    return try #require(statuses.values.first)
  }

  private func connect(
    to store: Store<State, Action>, _ exchange: @escaping @Sendable (Way) async throws -> Int
  ) {
    store.connect(
      when: \.way, failure: { error, _ in .failed("\(error)") }, named: "exchange",
      run: { way, send in await send(.answered(try await exchange(way))) })
  }

  private func store(through client: HTTPClient, _ request: HTTPRequest) -> TestStore<State, Action> {
    let store = TestStore(initialState: State(), serving: .bodies, reduce: Self.reduce) {
      connect(to: $0) { try await exchange($0, through: client, request) }
    }
    store.timeLimit = patience
    return store
  }

  @Test(
    "a test store waits for a server, although the timeout is in the hands of the test",
    arguments: Way.allCases)
  func server(way: Way) async throws {
    let (server, clock) = (try server(), TestClock())
    let client = HTTPClient(clock: clock)
    let request = HTTPRequest(server.url())
    let store = store(through: client, request)
    store.send(.asked(way)) { $0.way = way }
    async let answered: Void = {
      try await clock.sleepers(atLeast: 1)
      for _ in 0..<200 { await Task.yield() }
      answer.open()
    }()
    await store.receive(.answered(200)) { $0 = State(status: 200) }
    try await answered
    await store.finish()
  }

  @Test(
    "a server that stays silent is given up when the test moves its clock", arguments: [Way.load, .upload])
  func silent(way: Way) async throws {
    let (server, clock) = (try server(), TestClock())
    let client = HTTPClient(clock: clock)
    let request = HTTPRequest(server.url(), timeout: .seconds(5))
    let store = store(through: client, request)
    store.send(.asked(way)) { $0.way = way }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    let failure = way == .upload ? "loading(no answer in time)" : "no answer in time"
    await store.receive(.failed(failure)) { $0.way = nil }
    await store.finish()
    answer.open()
  }

  @Test("a test store waits for what is done with a part of a stream, although a timeout waits for the test")
  func receiver() async {
    let client = HTTPClient(clock: TestClock()) { _ in HTTPResponse(body: Data("news".utf8)) }
    let store = TestStore(initialState: State(), serving: .bodies, reduce: Self.reduce) {
      connect(to: $0) { _ in
        try await client.stream(HTTPRequest("https://example.org/feed")) { _ in
          // As a write to a disk does: the task is resumed by a queue of Dispatch.
          for _ in 0..<100 {
            await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
          }
          return .goOn
        }.status
      }
    }
    store.timeLimit = patience
    store.send(.asked(.stream)) { $0.way = .stream }
    await store.receive(.answered(200)) { $0 = State(status: 200) }
    await store.finish()
  }

  @Test(
    "what an exchange waits for is told, with a timeout and without one", arguments: Way.allCases, [nil, 60])
  func reported(way: Way, timeout: Int?) async throws {
    let (server, client) = (try server(), HTTPClient())
    let request = HTTPRequest(server.url(), timeout: timeout.map { .seconds($0) })
    let store = Store(initialState: State(), reduce: Self.reduce)
    connect(to: store) { try await exchange($0, through: client, request) }
    store.dispatch(.asked(way))
    let waits = { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    try await eventually { waits() == ["the answer of 127.0.0.1:\(server.port)"] }
    answer.open()
    await store.settled()
    #expect(store.state.status == 200)
  }

  @Test(
    "a test store waits until a stream of events is open, although its timeout is in the hands of the test")
  func opening() async throws {
    let (server, clock) = (
      try LoopbackServer { [answer] connection in
        guard connection.readHead() != nil else { return }
        answer.wait()
        connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        connection.waitForClose()
      }, TestClock()
    )
    let source = EventSourceRequest(HTTPRequest(server.url()), idleTimeout: .seconds(60))
    let store = TestStore(
      initialState: Set<EventSourceRequest>(), serving: .bodies,
      reduce: { (state: inout Set<EventSourceRequest>, event: EventSourceEvent?) in
        state = event == nil ? state.symmetricDifference([source]) : state
      },
      connect: { $0.connect(EventSourceEffect(client: HTTPClient(clock: clock)), to: \.self, action: { $0 }) }
    )
    store.timeLimit = patience
    store.send(nil) { $0 = [source] }
    let (live, port) = (store.store, server.port)
    let waits = { @Sendable in live.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    async let answered: Void = {
      try await clock.sleepers(atLeast: 1)
      try await eventually { waits().contains("the answer of 127.0.0.1:\(port) (its head)") }
      for _ in 0..<200 { await Task.yield() }
      answer.open()
    }()
    await store.receive(.status(.connecting(attempt: 1), of: source))
    await store.receive(.status(.open, of: source))
    try await answered
    #expect(!waits().contains { $0.hasSuffix("(its head)") })
    store.send(nil) { $0 = [] }
    store.expect(stopped: source)
    await store.finish()
  }

  @Test("a stream of events that goes on for ever is no reason for a test store not to settle")
  func events() async throws {
    let (clock, events) = (TestClock(), Recorder<EventSourceEvent>())
    let server = try LoopbackServer(
      pausingAfter: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    let source = EventSourceRequest(HTTPRequest(server.url()), idleTimeout: .seconds(60))
    let store = TestStore(
      initialState: [source], serving: .bodies, reduce: { _, event in events.append(event) },
      connect: { $0.connect(EventSourceEffect(client: HTTPClient(clock: clock)), to: \.self) })
    store.timeLimit = patience
    try await inTime { try await events.values(atLeast: 2) }
    #expect(events.values.last == .status(.open, of: source))
    await store.settle()
    let waits = store.store.activity.entries.flatMap(\.work).flatMap(\.waitsFor)
    #expect(waits.count == 1)
    #expect(waits.first?.hasPrefix("the answer of 127.0.0.1:\(server.port) (a test clock until ") == true)
    store.exhaustivity = []
    await store.finish()
  }
}
