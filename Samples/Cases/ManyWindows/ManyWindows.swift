import Millrace
import MillraceCollections
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// Independent windows, each of which saves its text when the user has not typed for a while.
nonisolated enum ManyWindows {
  /// A single window: its state, its actions, its effects.
  enum Window {
    struct State: Equatable, Sendable, Identifiable {
      var id: Int
      var text = ""
      var saved = ""
      var unsaved: String? { text == saved ? nil : text }
    }

    enum Action: Codable, Equatable, Sendable {
      case typed(String)
      case saved(String)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .typed(let text): state.text = text
      case .saved(let text): state.saved = text
      }
    }

    static func connect<C: Clock>(
      to store: Store<State, Action>, clock: C, save: @escaping @Sendable (String) async -> Void
    ) where C.Duration == Duration {
      let saving = Effect { (text: String, send: Send<Action>) in
        await save(text)
        await send(.saved(text))
      }
      store.connect(saving.debounced(for: .seconds(2), clock: clock), when: \.unsaved, named: "autosave")
    }
  }

  struct State: Equatable, Sendable {
    var windows: KeyedArray<Window.State> = []
  }

  enum Action: Codable, Equatable, Sendable {
    case opened(Int)
    case closed(Int)
    case window(Int, Window.Action)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .opened(let id): state.windows.append(Window.State(id: id))
    case .closed(let id): state.windows.remove(id: id)
    case .window(let id, let action): state.windows.mutate(id: id) { Window.reduce(&$0, action) }
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, save: @escaping @Sendable (Int, String) async -> Void
  ) where C.Duration == Duration {
    store.connectEach(\.windows, action: Action.window) { id, window in
      Window.connect(to: window, clock: clock) { await save(id, $0) }
    }
  }
}

nonisolated extension Case {
  static let manyWindows = Case(
    name: "windows", symptom: "a timer of a closed window fires, and crashes or brings the window back"
  ) { say in
    let (clock, saves) = (TestClock(), Recorder<String>())
    let store = Store(initialState: ManyWindows.State(), on: .immediate, reduce: ManyWindows.reduce)
    try store.recordIfAsked()
    ManyWindows.connect(to: store, clock: clock) { saves.append("window \($0): \($1)") }
    for id in 1...1_000 { store.dispatch(.opened(id)) }
    for id in [1, 2, 3] { store.dispatch(.window(id, .typed("draft"))) }
    let count = try await clock.sleepers(atLeast: 3).count
    say("\(store.state.windows.count) windows, \(count) timers")
    clock.advance(by: .seconds(1))
    store.dispatch(.window(2, .typed("a longer draft")))
    store.dispatch(.closed(3))
    _ = try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(1))
    _ = await store.first { $0.windows[id: 1]?.unsaved == nil }
    say("after 2 s: \(saves.values)")
    clock.advance(by: .seconds(1))
    await store.settled()
    say("after 3 s: \(saves.values)")
    say("window 3 is there: \(store.state.windows.contains(id: 3))")
    await store.shutdown()
  }
}
