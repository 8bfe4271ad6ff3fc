import Millrace
import MillraceStorage
import MillraceSystem
import MillraceTesting

/// Runs the program with one file: once, or several times in a script.
struct Session: Sendable {
  /// The path of the file with the kept part of the state.
  let path: String
  let write: @Sendable ([String]) async -> Void

  /// One run of the program, from its beginning to its end.
  struct Life: Sendable {
    let store: Store<Booking, Booking.Action>
    let window: Window
    let storage: FileStorage<Kept>

    func end() async throws(StorageFailure) {
      await store.shutdown()
      try await storage.flush(store.state.saving)
      await storage.close()
    }
  }

  func begin(on clock: some Clock<Duration>) async throws(StorageFailure) -> Life {
    let storage = FileStorage<Kept>(at: path)
    let store = Store(initialState: Booking(try await storage.load()), reduce: Booking.reduce)
    let window = Window(clock: clock, write: write)
    Booking.connect(to: store, window: window, storage: storage)
    return Life(store: store, window: window, storage: storage)
  }

  /// Reads lines until the user quits, or until the input has ended and everything is shown.
  func run(opening link: [Screen]?, input: Int32 = 0, on clock: some Clock<Duration>)
    async throws(StorageFailure)
  {
    let life = try await begin(on: clock)
    if let link { life.store.dispatch(.opened(link)) }
    let keyboard = KeyboardEffect(reader: LineReaderEffect(descriptor: input), window: life.window)
    life.store.connect(keyboard, to: \.isReading, longRunning: true)
    _ = await life.store.first(where: \.isOver)
    try await life.end()
  }

  /// Plays a script to its end, on a clock that the script moves. It writes the same lines each time.
  func play(_ script: Script) async throws(StorageFailure) {
    let clock = TestClock()
    var life = try await begin(on: clock)
    await life.rest(clock)
    for step in script.steps {
      switch step {
      case .type(let line, let isEarly):
        // Slides first, so that the screen has written that it slides.
        if isEarly { await life.slideHalfway(clock) }
        await write([(line.isEmpty ? ">" : "> \(line)") + (isEarly ? " (while the screen slides)" : "")])
        await life.store.send(life.window.action(of: line))
      case .rest: await life.rest(clock)
      case .restart:
        await write(["(the program is ended, and begins again)"])
        await life.store.shutdown()
        await life.storage.close()
        life = try await begin(on: clock)
        await life.rest(clock)
      }
    }
    try await life.end()
  }
}

extension Session.Life {
  /// Lets half the duration of a slide pass, if a screen slides.
  fileprivate func slideHalfway(_ clock: TestClock) async {
    guard store.state.navigation.step?.isLast == true else { return }
    _ = try? await clock.sleepers(atLeast: 1)
    clock.advance(by: Window.slide / 2)
  }

  /// Lets time pass until the wanted screens are shown, drawn and saved.
  func rest(_ clock: TestClock) async {
    let time = Task {
      while (try? await clock.sleepers(atLeast: 1)) != nil { clock.advance(by: Window.slide) }
    }
    _ = await store.first(where: \.navigation.isSettled)
    time.cancel()
    await time.value
    await store.settled()
  }
}
