import Millrace
import MillraceTesting
import MillraceTrace

/// A text with undo. The number of its words is counted elsewhere, and undo does not change it.
nonisolated enum UndoWithLookup {
  struct State: Equatable, Sendable {
    var text = Undoable("")
    var words: Counted?

    var pending: String? { words?.text == text.present ? nil : text.present }
  }

  struct Counted: Codable, Equatable, Sendable {
    var text: String
    var count: Int
  }

  enum Action: Codable, Equatable, Sendable {
    case edited(String)
    case undo
    case redo
    case counted(Counted)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .edited(let text): state.text.record { $0 = text }
    case .undo: state.text.undo()
    case .redo: state.text.redo()
    case .counted(let words): state.words = words
    }
  }

  static func connect(to store: Store<State, Action>, count: @escaping @Sendable (String) async -> Int) {
    store.connect(when: \.pending) { text, send in
      await send(.counted(Counted(text: text, count: await count(text))))
    }
  }
}

nonisolated extension Case {
  static let undoWithLookup = Case(
    name: "undo",
    symptom: "an undo takes back what a lookup has found, or leaves what belongs to another text"
  ) { say in
    let store = Store(initialState: UndoWithLookup.State(), on: .immediate, reduce: UndoWithLookup.reduce)
    try store.recordIfAsked()
    UndoWithLookup.connect(to: store) { $0.split(separator: " ").count }
    let steps: [(String, UndoWithLookup.Action)] = [
      ("write", .edited("one two")), ("write", .edited("one two three")), ("undo", .undo), ("redo", .redo),
    ]
    for (name, action) in steps {
      store.dispatch(action)
      await store.settled()
      say("\(name): \"\(store.state.text.present)\", \(store.state.words?.count ?? 0) words")
    }
    await store.shutdown()
  }
}
