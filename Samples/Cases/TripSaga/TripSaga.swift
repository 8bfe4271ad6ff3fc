import Foundation
import Millrace
import MillraceStorage
import MillraceTesting
import MillraceTrace

/// A trip that is booked as a whole or not at all. If a step fails, the steps before it are undone, last first.
nonisolated enum TripSaga {
  struct Refusal: Error {}

  struct Step: Hashable, Codable, Sendable {
    enum Direction: Codable { case book, cancel }
    var trip: String
    var part: String
    var direction = Direction.book
    /// The step's name in the ledger and at the service.
    var key: String { "\(trip)/\(part)/\(direction)" }
  }

  /// A program that restarts stores this, and continues where it was.
  struct State: Equatable, Codable, Sendable {
    var trip: String?
    var booked: [String] = []
    var isTakenBack = false
    var outcome = ""

    var step: Step? {
      guard let trip, outcome.isEmpty else { return nil }
      if isTakenBack { return booked.last.map { Step(trip: trip, part: $0, direction: .cancel) } }
      return TripSaga.parts.dropFirst(booked.count).first.map { Step(trip: trip, part: $0) }
    }
  }

  static let parts = ["flight", "hotel", "car"]

  enum Action: Equatable, Sendable {
    case wanted(String)
    case done(Step)
    case refused(Step)
    case ledger(OnceEvent<Step>)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func done(_ step: Step) {
      if step.direction == .book { state.booked.append(step.part) } else { state.booked.removeLast() }
      if state.booked.count == parts.count { state.outcome = "booked" }
      if state.isTakenBack, state.booked.isEmpty { state.outcome = "taken back" }
    }
    switch action {
    case .wanted(let trip): state = State(trip: trip)
    case .done(let step): done(step)
    case .refused:
      state.isTakenBack = true
      if state.booked.isEmpty { state.outcome = "not booked" }
    // The step ended in an earlier run of the program, after the state that asks for it was stored.
    case .ledger(.ended(let step, _)): done(step)
    // The result is unknown. Cancelling an unbooked part does no harm, so the step is undone with the others.
    case .ledger(.interrupted(let step, _)) where step.direction == .book:
      state.booked.append(step.part)
      state.isTakenBack = true
    case .ledger: state.outcome = "to be looked at by a person"
    }
  }

  static func connect(
    to store: Store<State, Action>, ledger: Ledger<Step>,
    perform: @escaping @Sendable (Step) async throws(Refusal) -> Void
  ) {
    let steps = Effect(
      failure: { (_: Refusal, step: Step) in Action.refused(step) },
      run: { (step: Step, send: Send<Action>) async throws(Refusal) in
        try await perform(step)
        await send(.done(step))
      })
    store.connect(
      steps.once(in: ledger, key: \.key, attempt: { _ in 1 }, event: Action.ledger), when: \.step,
      named: "steps")
  }
}

nonisolated extension Case {
  static let tripSaga = Case(
    name: "saga", symptom: "a hotel stays booked for a flight that was never found"
  ) { say in
    let path = FileManager.default.temporaryDirectory.path + "/millrace-trip-\(UUID().uuidString)"
    defer { for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let (done, gate) = (Recorder<String>(), Gate())
    func life(_ state: TripSaga.State, _ first: TripSaga.Action?, hangsAt part: String? = nil) async throws
      -> TripSaga.State
    {
      let ledger = Ledger<TripSaga.Step>(at: path)
      let store = Store(initialState: state, on: .immediate, reduce: TripSaga.reduce)
      try store.recordIfAsked()
      TripSaga.connect(to: store, ledger: ledger) { step throws(TripSaga.Refusal) in
        if step.trip == "Atlantis", step.part == "car" { throw TripSaga.Refusal() }
        done.append("\(step.direction) \(step.part)")
        if step.part == part { try? await gate.wait() }
      }
      if let first { store.dispatch(first) }
      if part == nil { await store.settled() } else { try await gate.waiters(atLeast: 1) }
      let end = store.state
      await store.shutdown()
      await ledger.close()
      return end
    }
    for trip in ["Rome", "Atlantis"] {
      let end = try await life(TripSaga.State(), .wanted(trip))
      say("\(trip): \(end.outcome)")
    }
    let stored = try await life(TripSaga.State(), .wanted("Oslo"), hangsAt: "hotel")
    say("Oslo: a crash after \(stored.booked), while the hotel is being booked")
    let end = try await life(stored, nil)
    say("Oslo: \(end.outcome)")
    say("the last steps: \(done.values.suffix(4).joined(separator: ", "))")
  }
}
