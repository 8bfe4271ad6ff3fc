/// The state on disk of a program that saves by requests, and the sent requests that nothing on disk records. Pure.
struct DiskRecord<State: Sendable> {
  private struct Save {
    let request: AnyHashable
    let state: State
    /// How many requests had been sent when the save was asked for.
    let sent: Int
  }

  /// The requests sent before the restart that have to wait for a save, in order.
  private var sent: [RunKey] = []
  /// The requests sent again after the restart.
  private var sentAgain: Set<RunKey> = []
  /// The newest request of each run that saves.
  private var asked: [UInt64: Save] = [:]
  private var saved: Save?
  private var hasRestarted = false

  /// The state on disk; `nil` if nothing was saved yet.
  var state: State? { saved?.state }

  /// The sent requests that the state on disk does not record.
  var unsaved: [RunKey] { Array(sent[(saved?.sent ?? 0)...]) }

  /// The unsaved requests that the program does not send again after the restart, since it does not know of them.
  var forgotten: [RunKey] { unsaved.filter { !sentAgain.contains($0) } }

  mutating func restarted() { hasRestarted = true }

  mutating func sent(_ run: RunKey) {
    if hasRestarted { sentAgain.insert(run) } else { sent.append(run) }
  }

  /// A run is asked to save a state, by its first request or by one that was handed over to it.
  mutating func saveAsked(by run: UInt64, _ request: AnyHashable, of state: State) {
    guard !hasRestarted, asked[run]?.request != request else { return }
    asked[run] = Save(request: request, state: state, sent: sent.count)
  }

  /// A run has saved the newest state that it was asked to save.
  mutating func saveAnswered(by run: UInt64) {
    guard !hasRestarted, let save = asked[run], save.sent >= saved?.sent ?? 0 else { return }
    saved = save
  }
}
