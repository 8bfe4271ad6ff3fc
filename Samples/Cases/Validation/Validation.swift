import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A name that the server checks while the user types. It can be taken once it was found free.
nonisolated enum Validation {
  struct Verdict: Codable, Equatable, Sendable {
    var name: String
    var isFree: Bool
  }

  struct State: Equatable, Sendable {
    var name = ""
    var verdict: Verdict?
    var isTaking = false
    var taken: String?

    /// The verdict about the present name; a verdict about another name says nothing.
    var isFree: Bool? { verdict?.name == name ? verdict?.isFree : nil }
    var unchecked: String? { name.isEmpty || isFree != nil ? nil : name }
    var taking: String? { isTaking ? name : nil }
    var mark: String { isFree.map { $0 ? "free" : "taken" } ?? (name.isEmpty ? "" : "…") }
  }

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case checked(Verdict)
    case confirmed
    case took(String, isDone: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .typed(let name): if !state.isTaking { state.name = name }
    case .checked(let verdict): state.verdict = verdict
    case .confirmed: state.isTaking = state.isFree == true && state.taken == nil
    case .took(let name, let isDone):
      state.isTaking = false
      // Another user may have taken the name since the check.
      if isDone { state.taken = name } else { state.verdict = Verdict(name: name, isFree: false) }
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, isFree: @escaping @Sendable (String) async -> Bool,
    take: @escaping @Sendable (String) async -> Bool
  ) where C.Duration == Duration {
    let check = Effect { (name: String, send: Send<Action>) in
      await send(.checked(Verdict(name: name, isFree: await isFree(name))))
    }
    store.connect(check.debounced(for: .milliseconds(300), clock: clock), when: \.unchecked, named: "check")
    store.connect(when: \.taking, named: "take") { name, send in
      await send(.took(name, isDone: await take(name)))
    }
  }
}

nonisolated extension Case {
  static let validation = Case(
    name: "validation", symptom: "the green tick belongs to what was typed a second ago"
  ) { say in
    let clock = TestClock()
    let store = Store(initialState: Validation.State(), on: .immediate, reduce: Validation.reduce)
    try store.recordIfAsked()
    Validation.connect(to: store, clock: clock, isFree: { $0 != "ann" }, take: { $0 != "anna" })
    for name in ["an", "ann", "anna", "annabel"] {
      store.dispatch(.typed(name))
      store.dispatch(.confirmed)
      say("\(name): \(store.state.mark)\(store.state.isTaking ? ", is being taken" : "")")
      guard name != "an" else { continue }  // typed on at once
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(300))
      await store.settled()
      say("\(name): \(store.state.mark)")
      store.dispatch(.confirmed)
      await store.settled()
      say("\(name), confirmed: \(store.state.taken.map { "has \($0)" } ?? store.state.mark)")
    }
    await store.shutdown()
  }
}
