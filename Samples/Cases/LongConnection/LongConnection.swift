import Millrace
import MillraceEffects
import MillraceTesting

/// A connection in both directions that is remade when it breaks or falls silent, and loses no message.
nonisolated enum LongConnection {
  struct State: Equatable, Sendable {
    var isWanted = false
    var isOpen = false
    /// The number of the connection, so that a new connection is another request.
    var line = 0
    /// The number of signs of life. The wait for the next one begins anew with each.
    var heard = 0
    /// The messages that the other side has not confirmed, in order.
    var unconfirmed: [String] = []
    /// The number of these that were written to this connection. On a new connection they are written again.
    var written = 0
    var confirmed = 0

    var lineRequest: Int? { isWanted ? line : nil }
    var writing: Writing? {
      guard isOpen, let text = unconfirmed.dropFirst(written).first else { return nil }
      return Writing(line: line, number: confirmed + written, text: text)
    }
    var timers: Set<TimerRequest<Int>> { isOpen ? [TimerRequest(heard, .after(.seconds(30)))] : [] }
  }

  struct Writing: Codable, Hashable, Sendable {
    var line: Int
    var number: Int
    var text: String
  }

  enum Event: Codable, Equatable, Sendable {
    case opened
    case heartbeat
    /// The oldest unconfirmed message has arrived.
    case confirmed
  }

  enum Action: Codable, Equatable, Sendable {
    case wanted(Bool)
    case wrote(String)
    case written(Writing)
    case line(Event)
    case broke
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func connectAgain() { (state.isOpen, state.written, state.line) = (false, 0, state.line + 1) }
    switch action {
    case .wanted(let isWanted):
      connectAgain()
      state.isWanted = isWanted
    case .wrote(let text): state.unconfirmed.append(text)
    case .written: state.written += 1
    case .line(let event):
      state.heard += 1
      if event == .opened { state.isOpen = true }
      guard event == .confirmed, !state.unconfirmed.isEmpty else { return }
      state.unconfirmed.removeFirst()
      state.confirmed += 1
      // Confirmed before its write was reported. Its request has left the state, so that report is fenced.
      if state.written > 0 { state.written -= 1 }
    case .broke: connectAgain()
    }
  }

  /// - Parameter open: opens a connection and calls back with everything received, until the connection breaks.
  static func connect(
    to store: Store<State, Action>, clock: some Clock<Duration>,
    open: @escaping @Sendable (Int, Send<Event>) async -> Void,
    write: @escaping @Sendable (Writing) async -> Void
  ) {
    store.connect(when: \.lineRequest, named: "line", longRunning: true) { line, send in
      await open(line, send.map(Action.line))
      await send(.broke)
    }
    store.connect(when: \.writing, named: "write") { writing, send in
      await write(writing)
      await send(.written(writing))
    }
    store.scope(computed: { $0.timers }, action: { _ in Action.broke })
      .connect(TimerEffect<Int>(clock: clock), longRunning: true)
  }
}

nonisolated extension Case {
  static let longConnection = Case(
    name: "line", symptom: "a connection is dead and nobody notices, and what was sent over it is gone"
  ) { say in
    let (clock, lines) = (TestClock(), Lock<[Int: Send<LongConnection.Event>]>([:]))
    let (breaks, written) = (Gate(), Recorder<LongConnection.Writing>())
    let store = Store(initialState: LongConnection.State(), on: .immediate, reduce: LongConnection.reduce)
    LongConnection.connect(
      to: store, clock: clock,
      open: { line, send in
        lines.withLock { $0[line] = send }
        await send(.opened)
        try? await breaks.wait()
      },
      write: { written.append($0) })
    func line(_ number: Int) async throws -> Send<LongConnection.Event>? {
      _ = await store.first { $0.line == number && $0.isOpen }
      try await breaks.waiters(atLeast: 1)
      await store.settled()
      say("line \(number): \(written.values.filter { $0.line == number }.map(\.text))")
      return lines.withLock { $0[number] }
    }
    store.dispatch(.wanted(true))
    for text in ["one", "two"] { store.dispatch(.wrote(text)) }
    await (try await line(1))?(.confirmed)
    breaks.pass(1)
    await (try await line(2))?(.heartbeat)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(30))
    await (try await line(3))?(.confirmed)
    say("unconfirmed: \(store.state.unconfirmed)")
  }
}
