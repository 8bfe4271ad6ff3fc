import Millrace
import MillraceTesting
import MillraceTrace

/// A download that can be paused, and continues where it was.
nonisolated enum Download {
  struct State: Equatable, Sendable {
    var file: String?
    var isPaused = false
    /// The parts received.
    var received: [String] = []
    /// The start of the wanted run. It does not change while parts arrive, so that the run continues.
    var start = 0
    var isWhole = false

    var wanted: Range? {
      isPaused || isWhole ? nil : file.map { Range(file: $0, start: start) }
    }
  }

  struct Range: Hashable, Sendable {
    var file: String
    var start: Int
  }

  enum Action: Codable, Equatable, Sendable {
    case begun(String)
    case paused
    case resumed
    case received(String)
    case ended
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .begun(let file): state = State(file: file)
    case .paused: state.isPaused = true
    case .resumed: (state.isPaused, state.start) = (false, state.received.count)
    case .received(let part): state.received.append(part)
    case .ended: state.isWhole = true
    }
  }

  /// - Parameter read: returns a part of a file; `nil` after its end.
  static func connect(
    to store: Store<State, Action>, read: @escaping @Sendable (String, Int) async -> String?
  ) {
    store.connect(when: \.wanted) { range, send in
      var place = range.start
      while let part = await read(range.file, place) {
        guard await send(.received(part)) == .reduced else { return }
        place += 1
      }
      await send(.ended)
    }
  }
}

nonisolated extension Case {
  static let download = Case(
    name: "download", symptom: "a paused download has a part twice, or begins from its start"
  ) { say in
    let (gate, asked) = (Gate(), Recorder<Int>())
    let store = Store(initialState: Download.State(), on: .immediate, reduce: Download.reduce)
    try store.recordIfAsked()
    Download.connect(to: store) { file, place in
      asked.append(place)
      await gate.waitIgnoringCancellation()
      return place < file.count ? "\(Array(file)[place])" : nil
    }
    store.dispatch(.begun("abcde"))
    for count in 1...2 {
      try await gate.waiters(atLeast: 1)
      gate.pass(1)
      _ = await store.first { $0.received.count == count }
    }
    try await gate.waiters(atLeast: 1)
    store.dispatch(.paused)
    say("paused with \(store.state.received.joined()), and the next part is on its way")
    gate.open()
    await store.settled()
    say("it has come, and is not taken: \(store.state.received.joined())")
    store.dispatch(.resumed)
    await store.settled()
    say("resumed: \(store.state.received.joined()), parts asked for: \(asked.values)")
    await store.shutdown()
  }
}
