import Millrace
import MillraceTestStore
import Testing

/// A line that is kept open. What is written goes out in its order, one message at a time, and nothing is lost when the
/// line breaks.
private enum Chat {
  struct Broken: Error, Equatable {}

  struct Message: Hashable, Sendable, Identifiable {
    let id: Int
    let text: String
  }

  enum Status: Equatable, Sendable { case closed, opening, open, broken }

  struct State: Equatable, Sendable {
    var status = Status.closed
    var attempt = 0
    var outbox: [Message] = []
    var heard: [String] = []
  }

  enum Action: Equatable, Sendable {
    case opened, closed, retried
    case line(LineEvent)
    case written(Message)
    case delivered(Int)
  }

  enum LineEvent: Equatable, Sendable {
    case open
    case heard(String)
    case broken
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .opened: state.status = .opening
    case .closed: state.status = .closed
    case .retried: (state.status, state.attempt) = (.opening, state.attempt + 1)
    case .line(.open): state.status = .open
    case .line(.heard(let text)): state.heard.append(text)
    case .line(.broken): state.status = .broken
    case .written(let message): state.outbox.append(message)
    case .delivered(let id): state.outbox.removeAll { $0.id == id }
    }
  }

  /// The line. Another attempt is another request.
  struct Line: Hashable { var attempt = 0 }

  struct Client: Sendable {
    var line: @Sendable () -> AsyncThrowingStream<LineEvent, any Error>
    var deliver: @Sendable (Message) async throws -> Void
  }

  static func connect(to store: Store<State, Action>, client: Client) {
    store.connect(Listening(client: client))
    store.connect(Delivering(client: client))
  }

  struct Listening: EffectComponent {
    let client: Client
    func requests(in state: State) -> Set<Line> {
      [.opening, .open].contains(state.status) ? [Line(attempt: state.attempt)] : []
    }
    func run(_ line: Line, send: Send<Action>) async throws {
      for try await event in client.line() { await send(.line(event)) }
      throw Broken()
    }
    func action(for failure: any Error, of line: Line) -> Action { .line(.broken) }
  }

  /// Delivers the first message. The next one is asked for when this one has left the state.
  struct Delivering: EffectComponent {
    let client: Client
    func requests(in state: State) -> Set<Message> {
      state.status == .open ? Set(state.outbox.prefix(1)) : []
    }
    func run(_ message: Message, send: Send<Action>) async throws {
      try await client.deliver(message)
      await send(.delivered(message.id))
    }
    func action(for failure: any Error, of message: Message) -> Action { .line(.broken) }
  }
}

extension Chat.Client {
  fileprivate static var unimplemented: Self {
    Self(
      line: MillraceTestStore.unimplemented(
        "Chat.Client.line", placeholder: AsyncThrowingStream { $0.finish() }),
      deliver: MillraceTestStore.unimplemented("Chat.Client.deliver", throwing: Chat.Broken()))
  }
}

extension FeatureTests {
  @Test("what is written goes out in its order, also when the line breaks meanwhile") func line() async {
    let (hello, bye) = (Chat.Message(id: 1, text: "hello"), Chat.Message(id: 2, text: "bye"))
    let client = Chat.Client.unimplemented
    let store = TestStore(initialState: .init(), reduce: Chat.reduce) { Chat.connect(to: $0, client: client) }
    store.send(.written(hello)) { $0.outbox = [hello] }
    store.send(.written(bye)) { $0.outbox = [hello, bye] }
    store.send(.opened) { $0.status = .opening }
    store.send(.line(.open), from: Chat.Line()) { $0.status = .open }
    store.expect(running: Chat.Line(), hello)
    store.answer(hello, with: .delivered(1)) { $0.outbox = [bye] }
    store.fail(Chat.Line(), with: Chat.Broken()) { $0.status = .broken }
    store.expect(stopped: bye)
    store.send(.retried) { ($0.status, $0.attempt) = (.opening, 1) }
    store.send(.line(.open), .line(.heard("hi")), from: Chat.Line(attempt: 1)) {
      ($0.status, $0.heard) = (.open, ["hi"])
    }
    store.answer(bye, with: .delivered(2)) { $0.outbox = [] }
    store.send(.closed) { $0.status = .closed }
    await store.finish()
  }
}
