import Millrace
import MillraceTesting
import Testing

@testable import notes

/// A shelf that a test holds up.
private final class HeldShelf: Shelf {
  let loading = Gate()
  let titling = Gate()
  let kept = Recorder<[String]>()
  let sought = Recorder<String>()
  private let isFull: Bool

  init(isFull: Bool = false) { self.isFull = isFull }

  func notes(of user: String) async -> [Note] {
    await loading.waitIgnoringCancellation()
    return [Note(id: 1, text: "\(user)'s note", title: "old")]
  }

  func keep(_ notes: [Note], of user: String) async throws(ShelfFailure) {
    if isFull { throw .full }
    kept.append(notes.map(\.text))
  }

  func find(_ query: String, of user: String) async -> [Int] {
    sought.append(query)
    return [query.count]
  }

  func title(of text: String) async -> String {
    await titling.waitIgnoringCancellation()
    return text.uppercased()
  }
}

@Suite struct NotesTests {
  private let store = Store(initialState: Notes(), on: .immediate, reduce: Notes.reduce)

  private func connect(_ shelf: HeldShelf, clock: some Clock<Duration> = ImmediateClock()) {
    Notes.connect(to: store, shelf: shelf, clock: clock)
    store.dispatch(.signedIn(user: "ann"))
  }

  private func write(_ id: Int, _ text: String) {
    store.dispatch(.notebook(.list(.change(.written(id: id, text: text)))))
  }

  private var texts: [String] { store.state.notebook?.list.present.notes.map(\.text) ?? [] }

  @Test("nothing is saved before the notes are loaded, and what was written meanwhile is kept")
  func loadFirst() async throws {
    let shelf = HeldShelf()
    connect(shelf)
    try await shelf.loading.waiters(atLeast: 1)
    write(2, "milk")
    #expect(shelf.kept.values.isEmpty)
    shelf.loading.open()
    shelf.titling.open()
    #expect(try await shelf.kept.values(count: 1).first == ["ann's note", "milk"])
  }

  @Test("a title of a text that was written again does not arrive")
  func lateTitle() async throws {
    let shelf = HeldShelf()
    connect(shelf)
    write(2, "milk")
    try await shelf.titling.waiters(atLeast: 1)
    write(2, "bread")
    shelf.titling.open()
    let state = await store.first { $0.notebook?.list.present.notes[id: 2]?.title != nil }
    #expect(state?.notebook?.list.present.notes[id: 2]?.title == "BREAD")
  }

  @Test("an edit is undone, and a title that arrives is no edit")
  func undo() async {
    let shelf = HeldShelf()
    shelf.titling.open()
    connect(shelf)
    write(2, "milk")
    write(3, "bread")
    _ = await store.first { $0.notebook?.list.present.notes[id: 3]?.title == "BREAD" }
    store.dispatch(.notebook(.list(.undo)))
    #expect(texts == ["milk"])
    store.dispatch(.notebook(.list(.undo)))
    #expect(texts.isEmpty)
    store.dispatch(.notebook(.list(.redo)))
    #expect(texts == ["milk"])
  }

  @Test("letters that follow each other are searched for once")
  func debounce() async {
    let shelf = HeldShelf()
    let clock = TestClock()
    connect(shelf, clock: clock)
    for query in ["c", "ca", "cat"] { store.dispatch(.notebook(.search(.typed(query)))) }
    // A letter that was typed over may still be about to stop waiting.
    while store.state.notebook?.search.found != [3] {
      clock.runToNextDue()
      await Task.yield()
    }
    #expect(shelf.sought.values == ["cat"])
  }

  @Test("sign-out ends everything, and what was under way does not reach the next user")
  func signOut() async throws {
    let shelf = HeldShelf()
    connect(shelf)
    write(2, "milk")
    try await shelf.titling.waiters(atLeast: 1)
    try await shelf.loading.waiters(atLeast: 1)
    store.dispatch(.signedOut)
    store.dispatch(.signedIn(user: "bob"))
    shelf.loading.open()
    shelf.titling.open()
    let state = await store.first { $0.notebook?.autosave.saved != nil }
    #expect(state?.notebook?.list.present.notes.map(\.text) == ["bob's note"])
    await store.settled()
    #expect(store.activity.fenced == 2)
  }

  @Test("a save that fails is a problem that the state shows")
  func full() async {
    let shelf = HeldShelf(isFull: true)
    shelf.loading.open()
    shelf.titling.open()
    connect(shelf)
    write(2, "milk")
    let state = await store.first { $0.notebook?.autosave.problem != nil }
    #expect(state?.notebook?.autosave.problem == "full")
  }
}
