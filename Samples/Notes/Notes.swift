import Millrace

/// The whole program's state: the notebook of the user who is signed in.
///
/// Sign-out ends everything: the notebook leaves the state, and everything that was connected to it ends. Nothing has
/// to be cancelled, and work still in progress for the old user cannot change the state any more.
struct Notes: Equatable, Sendable {
  var notebook: Notebook?

  enum Action: Codable, Equatable, Sendable {
    case signedIn(user: String)
    case signedOut
    case notebook(Notebook.Action)
  }

  static func reduce(_ state: inout Notes, _ action: Action) {
    switch action {
    case .signedIn(let user): state.notebook = Notebook(id: user)
    case .signedOut: state.notebook = nil
    case .notebook(let action): state.notebook?.reduce(action)
    }
  }

  /// Connects all features. Another user has another notebook, since a notebook is `Identifiable`.
  static func connect(to store: Store<Notes, Action>, shelf: any Shelf, clock: some Clock<Duration>) {
    store.connectIfPresent(\.notebook, action: Action.notebook) { notebook in
      Notebook.connect(to: notebook, shelf: shelf, clock: clock)
    }
  }
}
