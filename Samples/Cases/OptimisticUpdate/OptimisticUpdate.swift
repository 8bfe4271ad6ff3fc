import Millrace
import MillraceTesting
import MillraceTrace

/// A star that is shown at once, and taken back if the server refuses it.
nonisolated enum OptimisticUpdate {
  /// A tap. The number distinguishes it from an earlier one with the same value, which may have reached the server
  /// meanwhile. The server ignores taps older than its newest one.
  struct Tap: Codable, Hashable, Sendable {
    var number = 0
    var isStarred = false
  }

  /// The server's refusal, with its newest tap, since an earlier answer may have been late.
  struct Refusal: Error {
    let current: Bool
  }

  struct State: Hashable, Sendable {
    /// The user's choice, which is shown.
    var shown = Tap()
    /// The server's last answer.
    var confirmed = Tap()
    var notice = ""
  }

  enum Action: Codable, Hashable, Sendable {
    case tapped
    case saved(Tap)
    case refused(Tap, isStarred: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .tapped:
      state.shown = Tap(number: state.shown.number + 1, isStarred: !state.shown.isStarred)
      state.notice = ""
    case .saved(let tap): state.confirmed = tap
    case .refused(let tap, let isStarred):
      state.confirmed = Tap(number: tap.number, isStarred: isStarred)
      (state.shown, state.notice) = (state.confirmed, "it could not be saved")
    }
  }

  struct SaveEffect: EffectComponent {
    let save: @Sendable (Tap) async throws(Refusal) -> Void

    func id(of tap: Tap) -> Int { 0 }  // a later tap waits until the one before is off the line

    func requests(in state: State) -> Set<Tap> {
      state.shown.number == state.confirmed.number ? [] : [state.shown]
    }

    func run(_ tap: Tap, send: Send<Action>) async throws(Refusal) {
      try await save(tap)
      await send(.saved(tap))
    }

    func action(for refusal: Refusal, of tap: Tap) -> Action { .refused(tap, isStarred: refusal.current) }
  }
}

nonisolated extension Case {
  static let optimisticUpdate = Case(
    name: "optimistic", symptom: "a tap is shown after a second, or is shown and was never saved"
  ) { say in
    let (gate, refuses) = (Gate(), Lock(false))
    let store = Store(
      initialState: OptimisticUpdate.State(), on: .immediate, reduce: OptimisticUpdate.reduce)
    try store.recordIfAsked()
    store.connect(
      OptimisticUpdate.SaveEffect { _ throws(OptimisticUpdate.Refusal) in
        await gate.waitIgnoringCancellation()
        if refuses.withLock({ $0 }) { throw OptimisticUpdate.Refusal(current: true) }
      })
    func tell(_ event: String) {
      let state = store.state
      say("\(event): \(state.shown.isStarred ? "★" : "☆")\(state.notice.isEmpty ? "" : ", \(state.notice)")")
    }
    store.dispatch(.tapped)
    tell("tapped")
    gate.open()
    await store.settled()
    tell("saved")
    gate.close()
    refuses.withLock { $0 = true }
    store.dispatch(.tapped)
    tell("tapped again")
    gate.open()
    await store.settled()
    tell("refused")
    await store.shutdown()
  }
}
