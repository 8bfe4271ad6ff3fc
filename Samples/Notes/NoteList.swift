import Millrace

/// A note. Its title is looked up from its text.
struct Note: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var text: String
  var title: String?
}

/// The notes in order, each with its own effect.
struct NoteList: Equatable, Sendable {
  var notes = KeyedArray<Note>()

  enum Action: Codable, Equatable, Sendable {
    case written(id: Int, text: String)
    case deleted(id: Int)
    case titled(id: Int, title: String)

    /// Whether undo applies to the action: the arrival of a title is no edit.
    var isEdit: Bool { if case .titled = self { false } else { true } }
  }

  static func reduce(_ list: inout NoteList, _ action: Action) {
    switch action {
    case .written(let id, let text): list.notes.updateOrAppend(Note(id: id, text: text))
    case .deleted(let id): list.notes.remove(id: id)
    case .titled(let id, let title): list.notes[id: id]?.title = title
    }
  }

  /// Each note gets its effect when it is written, and loses it when it is deleted. If a text changes while its title
  /// is looked up, that is another request, so the title of the old text never arrives.
  static func connect(to store: Store<NoteList, Action>, shelf: any Shelf) {
    store.connectEach(\.notes, action: Action.titled) { _, note in
      note.connect(TitleEffect(shelf: shelf))
    }
  }

  struct TitleEffect: EffectComponent {
    let shelf: any Shelf

    func requests(in note: Note) -> Set<String> { note.title == nil ? [note.text] : [] }

    func run(_ text: String, send: Send<String>) async {
      await send(shelf.title(of: text))
    }
  }
}
