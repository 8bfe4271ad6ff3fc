import Millrace
import MillraceTesting

/// A star that is shown at once, and taken back if the server refuses it.
enum OptimisticUpdate {
  struct Refusal: Error {}

  struct State: Equatable, Sendable {
    /// What the server has.
    var confirmed = false
    /// What the user wants, which is what is shown.
    var shown = false
    var notice = ""

    var pending: Bool? { shown == confirmed ? nil : shown }
  }

  enum Action: Equatable, Sendable {
    case tapped
    case confirmed(Bool)
    case refused
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .tapped: (state.shown, state.notice) = (!state.shown, "")
    case .confirmed(let isStarred): state.confirmed = isStarred
    case .refused: (state.shown, state.notice) = (state.confirmed, "it could not be saved")
    }
  }

  static func connect(
    to store: Store<State, Action>, save: @escaping @Sendable (Bool) async throws(Refusal) -> Void
  ) {
    store.connect(
      when: \.pending, failure: { (_: Refusal, _: Bool) in Action.refused },
      run: { isStarred, send throws(Refusal) in
        try await save(isStarred)
        await send(.confirmed(isStarred))
      })
  }
}

extension Case {
  static let optimisticUpdate = Case(
    name: "optimistic", symptom: "a tap is shown after a second, or is shown and was never saved"
  ) { say in
    let (gate, refuses) = (Gate(), Lock(false))
    let store = Store(
      initialState: OptimisticUpdate.State(), on: .immediate, reduce: OptimisticUpdate.reduce)
    OptimisticUpdate.connect(to: store) { _ throws(OptimisticUpdate.Refusal) in
      await gate.waitIgnoringCancellation()
      if refuses.withLock({ $0 }) { throw OptimisticUpdate.Refusal() }
    }
    func tell(_ event: String) {
      let state = store.state
      say("\(event): \(state.shown ? "★" : "☆")\(state.notice.isEmpty ? "" : ", \(state.notice)")")
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
  }
}
