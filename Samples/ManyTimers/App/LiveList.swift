import Millrace
import MillraceTrace

/// The list on a terminal: keys start and stop the timers, and the screen follows the state.
enum LiveList {
  static func run(on terminal: Terminal) async throws {
    let store = Store(initialState: TimerList(rows: ListFace.keys.count), reduce: TimerList.reduce)
    try store.recordIfAsked()
    TimerList.connect(to: store, clock: ContinuousClock())
    store.connect(Screen(terminal), props: ListFace.lines)
    for await byte in terminal.bytes() {
      switch Key(byte: byte) {
      case .toggle(let id): store.dispatch(.row(id, .toggled))
      case .quit:
        await store.shutdown()
        return
      case nil: break
      }
    }
    await store.shutdown()
  }
}

/// Shows lines on a terminal. While one picture is drawn, those in between are skipped.
actor Screen: Component {
  private let terminal: Terminal

  init(_ terminal: Terminal) { self.terminal = terminal }

  func update(_ lines: [String]) {
    terminal.show(["Many timers", ""] + lines + ["", "1-9, a, b, c: start and stop    q: quit"])
  }
}
