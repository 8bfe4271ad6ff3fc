import Millrace
import MillraceTesting
import MillraceTrace

/// Messages that are sent one after the other, and wait in order while there is no network.
nonisolated enum OfflineQueue {
  struct Offline: Error {}

  struct Message: Codable, Hashable, Sendable {
    /// Lets the receiver recognize a repeated message: the network may lose the confirmation.
    var id: Int
    var text: String
  }

  struct State: Equatable, Sendable {
    var isOnline = true
    var queue: [Message] = []
    var lastID = 0

    var next: Message? { isOnline ? queue.first : nil }
  }

  enum Action: Codable, Equatable, Sendable {
    case wrote(String)
    case sent(Message)
    case networkChanged(isOnline: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wrote(let text):
      state.lastID += 1
      state.queue.append(Message(id: state.lastID, text: text))
    case .sent(let message): state.queue.removeAll { $0.id == message.id }
    case .networkChanged(let isOnline): state.isOnline = isOnline
    }
  }

  static func connect(
    to store: Store<State, Action>, deliver: @escaping @Sendable (Message) async throws(Offline) -> Void
  ) {
    store.connect(
      when: \.next, failure: { (_: Offline, _: Message) in Action.networkChanged(isOnline: false) },
      run: { message, send throws(Offline) in
        try await deliver(message)
        await send(.sent(message))
      })
  }
}

nonisolated extension Case {
  static let offlineQueue = Case(
    name: "offline", symptom: "what was written in a tunnel is lost, arrives twice, or in another order"
  ) { say in
    let (arrived, cut) = (Recorder<OfflineQueue.Message>(), Lock<Set<Int>>([2]))
    let store = Store(initialState: OfflineQueue.State(), on: .immediate, reduce: OfflineQueue.reduce)
    try store.recordIfAsked()
    OfflineQueue.connect(to: store) { message throws(OfflineQueue.Offline) in
      if !arrived.values.contains(message) { arrived.append(message) }
      // The network fails once between the second message and its confirmation.
      if cut.withLock({ $0.remove(message.id) }) != nil { throw OfflineQueue.Offline() }
    }
    for text in ["one", "two"] { store.dispatch(.wrote(text)) }
    await store.settled()
    store.dispatch(.wrote("three"))
    say("online: \(store.state.isOnline), waiting: \(store.state.queue.map(\.text))")
    store.dispatch(.networkChanged(isOnline: true))
    await store.settled()
    say("online: \(store.state.isOnline), waiting: \(store.state.queue.map(\.text))")
    say("the receiver has \(arrived.values.map(\.text))")
    await store.shutdown()
  }
}
