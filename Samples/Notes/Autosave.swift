import Millrace
import MillraceEffects

/// Loads the notes, and then saves their changes.
///
/// Nothing is saved before the notes are loaded. Otherwise a program that has just begun would replace the saved notes
/// by its empty list.
struct Autosave: Equatable, Sendable {
  /// The notes on the shelf; `nil` until they are loaded.
  var saved: [Note]?
  var problem: String?

  enum Action: Codable, Equatable, Sendable {
    case loaded([Note])
    case saved([Note])
    case failed(String)
  }

  mutating func reduce(_ action: Action) {
    switch action {
    case .loaded(let notes): saved = notes
    case .saved(let notes): self = Autosave(saved: notes)
    case .failed(let problem): self.problem = problem
    }
  }

  static func connect(
    to store: Store<Notebook, Notebook.Action>, shelf: any Shelf, clock: some Clock<Duration>
  ) {
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(
      when: { notebook in notebook.autosave.saved == nil ? notebook.id : nil },
      action: Notebook.Action.autosave, named: "load"
    ) { user, send in
      await send(.loaded(shelf.notes(of: user)))
    }
    // Typing changes the notes with every letter; they are saved once it pauses.
    store.scope(computed: Change.init, action: Notebook.Action.autosave)
      .connect(SaveEffect(shelf: shelf).debounced(for: .milliseconds(20), clock: clock))
  }

  /// A change of the notes to save.
  struct Change: Hashable, Sendable {
    let user: String
    let notes: [Note]?
  }

  struct SaveEffect: EffectComponent {
    let shelf: any Shelf

    /// One save at a time: two of one identity never overlap.
    func id(of change: Change) -> String { change.user }

    func requests(in change: Change) -> Set<Change> { change.notes == nil ? [] : [change] }

    func run(_ change: Change, send: Send<Action>) async throws(ShelfFailure) {
      guard let notes = change.notes else { return }
      try await shelf.keep(notes, of: change.user)
      await send(.saved(notes))
    }

    func action(for failure: ShelfFailure, of change: Change) -> Action { .failed("\(failure)") }
  }
}

extension Autosave.Change {
  init(of notebook: Notebook) {
    user = notebook.id
    let notes = Array(notebook.list.present.notes)
    let isLoaded = notebook.autosave.saved != nil
    self.notes = isLoaded && notes != notebook.autosave.saved ? notes : nil
  }
}
