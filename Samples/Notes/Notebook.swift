import Millrace

/// One user's notes: the states of the features, side by side.
struct Notebook: Identifiable, Equatable, Sendable {
  /// The user.
  let id: String
  var list = Undoable(NoteList(), limit: 20)
  var autosave = Autosave()
  var search = Search()

  enum Action: Codable, Equatable, Sendable {
    case list(UndoableAction<NoteList.Action>)
    case autosave(Autosave.Action)
    case search(Search.Action)
  }

  private static let reduceList = undoable(NoteList.reduce, where: \.isEdit)

  mutating func reduce(_ action: Action) {
    switch action {
    case .list(let action):
      Self.reduceList(&list, action)
      // The unsaved notes may be lost if the program ends.
      if autosave.problem != nil, autosave.saved == Array(list.present.notes) { autosave.problem = nil }
    case .autosave(.loaded(let notes)):
      // Notes that were written before loading was complete are appended to the loaded ones. Loading cannot be undone.
      var merged = NoteList()
      for note in notes + list.present.notes { merged.notes.updateOrAppend(note) }
      list = Undoable(merged, limit: list.limit)
      autosave.saved = notes
    case .autosave(let action): autosave.reduce(action)
    case .search(let action): search.reduce(action)
    }
  }

  static func connect(to store: Store<Notebook, Action>, shelf: any Shelf, clock: some Clock<Duration>) {
    NoteList.connect(to: store.scope(\.list.present) { .list(.change($0)) }, shelf: shelf)
    Autosave.connect(to: store, shelf: shelf, clock: clock)
    Search.connect(to: store, shelf: shelf, clock: clock)
  }
}
