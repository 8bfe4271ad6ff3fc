import Millrace
import MillraceTesting
import MillraceTrace

/// An order in three steps. Entries stay when the user goes back, and the server may send the user back.
nonisolated enum Wizard {
  enum Step: Int, Equatable, Sendable {
    case address, payment, summary
  }

  enum Refusal: Error, Codable, Equatable {
    case address(String)
  }

  struct Draft: Codable, Hashable, Sendable {
    var address = ""
    var card = ""
  }

  struct State: Equatable, Sendable {
    var step = Step.address
    var draft = Draft()
    var notice = ""
    var isOrdering = false
    var isOrdered = false

    var order: Draft? { isOrdering ? draft : nil }

    /// The missing entry of the step that is shown.
    var missing: String? {
      switch step {
      case .address where draft.address.isEmpty: "an address"
      case .payment where draft.card.isEmpty: "a card"
      default: nil
      }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case entered(Draft)
    case next
    case back
    case ordered
    case refused(Refusal)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .entered(let draft) where !state.isOrdering && !state.isOrdered:
      (state.draft, state.notice) = (draft, "")
    case .next where !state.isOrdering && !state.isOrdered:
      if let missing = state.missing {
        state.notice = "\(missing) is missing"
        return
      }
      if let next = Step(rawValue: state.step.rawValue + 1) {
        state.step = next
      } else {
        state.isOrdering = true
      }
    case .back:
      // Going back withdraws an order in progress.
      (state.isOrdering, state.notice) = (false, "")
      if !state.isOrdered, let last = Step(rawValue: state.step.rawValue - 1) { state.step = last }
    case .ordered: (state.isOrdering, state.isOrdered) = (false, true)
    case .refused(.address(let reason)):
      (state.isOrdering, state.step, state.notice) = (false, .address, reason)
    case .entered, .next: break
    }
  }

  static func connect(
    to store: Store<State, Action>, order: @escaping @Sendable (Draft) async throws(Refusal) -> Void
  ) {
    store.connect(
      when: \.order, failure: { (refusal: Refusal, _: Draft) in Action.refused(refusal) },
      run: { draft, send throws(Refusal) in
        try await order(draft)
        await send(.ordered)
      })
  }
}

nonisolated extension Case {
  static let wizard = Case(
    name: "wizard", symptom: "going back empties the form, and an order is sent that nobody wants any more"
  ) { say in
    let store = Store(initialState: Wizard.State(), on: .immediate, reduce: Wizard.reduce)
    try store.recordIfAsked()
    Wizard.connect(to: store) { draft throws(Wizard.Refusal) in
      if draft.address == "Nowhere 1" { throw .address("nobody delivers to Nowhere") }
    }
    let steps: [(String, [Wizard.Action])] = [
      ("next", [.next]),
      ("enters an address", [.entered(Wizard.Draft(address: "Nowhere 1")), .next]),
      ("back", [.back]),
      ("enters a card", [.next, .entered(Wizard.Draft(address: "Nowhere 1", card: "42")), .next]),
      ("orders", [.next]),
      ("mends the address", [.entered(Wizard.Draft(address: "Mill Lane 2", card: "42")), .next, .next]),
      ("orders", [.next]),
    ]
    for (name, actions) in steps {
      for action in actions { store.dispatch(action) }
      await store.settled()
      let state = store.state
      let place = state.isOrdered ? "ordered" : "\(state.step)"
      say("\(name): \(place)\(state.notice.isEmpty ? "" : ", \(state.notice)")")
    }
    await store.shutdown()
  }
}
