import Millrace
import MillraceTrace

let shelf = MemoryShelf(["ann": [Note(id: 1, text: "buy milk")]])
let store = Store(initialState: Notes(), reduce: Notes.reduce)
// MILLRACE_TRACE=FILE in the environment records the program.
try store.recordIfAsked()
Notes.connect(to: store, shelf: shelf, clock: ContinuousClock())

/// Sends actions, waits until all work that follows from them is done, and prints the notes.
@MainActor func step(_ what: String, _ actions: Notes.Action...) async {
  for action in actions { store.dispatch(action) }
  await store.settled()
  let list = store.state.notebook.map { notebook in
    notebook.list.present.notes.map { "\($0.title ?? "…"): \($0.text)" }.joined(separator: ", ")
  }
  print("\(what): \(list ?? "nobody is signed in")")
}

await step("ann signs in", .signedIn(user: "ann"))
await step("ann writes", .notebook(.list(.change(.written(id: 2, text: "feed the cat")))))
await step(
  "ann deletes, and thinks better of it", .notebook(.list(.change(.deleted(id: 1)))), .notebook(.list(.undo)))

await step(
  "ann searches", .notebook(.search(.typed("c"))), .notebook(.search(.typed("ca"))),
  .notebook(.search(.typed("cat"))))
print("found: \(store.state.notebook?.search.found ?? [])")

await step("ann signs out", .signedOut)
print("kept: \(await shelf.notes(of: "ann").map(\.text))")
await store.shutdown()
