import Millrace
import MillraceSystem
import MillraceTrace

/// One run of the program: draws the state at the beginning and after each action.
struct Session: Sendable {
  /// The file descriptor from which commands are read.
  var input: Int32 = 0
  /// Writes lines; throws if the reader has closed the pipe.
  let write: @Sendable ([String]) async throws -> Void

  /// Reads commands until the user quits or the input has ended.
  func run(on clock: some Clock<Duration>) async throws {
    let store = try makeStore()
    let actions = store.actions()
    TimeTravel.connect(to: store, shop: Shop(clock: clock))
    store.connect(
      LineReaderEffect(descriptor: input), to: \.isReading, action: TimeTravel.Action.init, longRunning: true)
    try await begin(store)
    for await (action, program) in actions {
      try await write(Drawing.lines(of: program, after: action))
      if program.isOver { break }
    }
    await store.shutdown()
  }

  /// Plays a script to its end. Each of its steps is one action, so the lines are the same each time.
  func run(_ script: Script) async throws {
    let store = try makeStore()
    let actions = store.actions()
    TimeTravel.connect(to: store, shop: script.shop)
    try await begin(store)
    let reduced = actions.makeAsyncIterator()
    for step in script.steps {
      switch step {
      case .type(let line):
        script.answer(nil)
        store.dispatch(.typed(line))
      case .answer(let question): script.answer(question)
      }
      guard let (action, program) = await reduced.next() else { break }
      try await write(Drawing.lines(of: program, after: action))
    }
    await store.shutdown()
  }

  private func makeStore() throws -> Store<TimeTravel, TimeTravel.Action> {
    let store = Store(initialState: TimeTravel(), reduce: TimeTravel.reduce)
    // MILLRACE_TRACE=FILE in the environment records the program.
    try store.recordIfAsked()
    return store
  }

  private func begin(_ store: Store<TimeTravel, TimeTravel.Action>) async throws {
    try await write([Command.usage, Drawing.legend, ""] + Drawing.lines(of: store.state))
  }
}
