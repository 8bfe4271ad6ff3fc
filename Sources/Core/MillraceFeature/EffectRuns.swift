import Millrace

/// What a store does with a run.
package enum RunStep: String {
  case starts
  /// It starts when the stopped run of its identity has returned.
  case waits
  case handsOver = "hands over"
  case stops
  /// A run that waited is forgotten.
  case discards
}

/// The runs of one effect in its place, as a value: it is stepped by what happened, and returns what a store decides.
///
/// Outside of the runtime the steps of a ``RunTable`` are looked at here alone. A copy is a branch. Nothing is executed.
package struct EffectRuns<Effect: EffectComponent> {
  package typealias Request = Effect.Request

  /// A run that was decided on and has not returned.
  package struct Run {
    package let generation: UInt64
    /// The request that it begins with.
    package let begun: Request
    /// The newest value of its request.
    package fileprivate(set) var newest: Request
    /// The values at which it may be if it has not taken the newest one.
    package fileprivate(set) var older: Set<Request> = []
    package fileprivate(set) var phase: Phase

    package enum Phase {
      /// It starts when the stopped run of its identity has returned.
      case waiting
      case live
      case stopped
    }
  }

  /// What a store decides. Ends come first.
  package enum Decision {
    case run(RunStep, Run)
    /// Two requests of one set share an identity; the first is served.
    case clashes(Request, Request)
  }

  private let effect: Effect
  private var table = RunTable<Effect.ID, Request>()
  private var generations: UInt64 = 0
  /// By generation.
  private var runs: [UInt64: Run] = [:]

  package init(_ effect: Effect) { self.effect = effect }

  /// The live runs, in the order in which they were decided on.
  package var live: [Run] { runs(in: .live) }

  private func runs(in phase: Run.Phase) -> [Run] {
    runs.values.filter { $0.phase == phase }.sorted { $0.generation < $1.generation }
  }

  /// The state asks for exactly `requests`, of which no two are equal; for none once the connection has ended.
  package mutating func requestsChanged(to requests: [Request]) -> [Decision] {
    let steps = table.requestsChanged(
      to: requests.map { (effect.id(of: $0), $0) }, replacement: effect.replacement, generations: &generations
    )
    defer { _ = table.takeDropped() }
    return (steps.ends + steps.others).compactMap { decision($0) }
  }

  /// The body of a run has returned.
  ///
  /// - Parameter leavingValue: whether it has left the newest value that was handed over to it.
  package mutating func runReturned(_ generation: UInt64, leavingValue: Bool = false) -> Decision? {
    guard let run = runs.removeValue(forKey: generation) else { return nil }
    defer { _ = table.takeDropped() }
    return table.runReturned(
      generation, id: effect.id(of: run.begun), leftValue: leavingValue, generations: &generations
    )
    .flatMap { decision($0) }
  }

  /// The bodies of all stopped runs have returned.
  package mutating func stoppedRunsReturned() -> [Decision] {
    runs(in: .stopped).compactMap { runReturned($0.generation) }
  }

  /// A run has shown at which of its values it is.
  ///
  /// - Parameter isOld: whether it has not taken the newest one, which may be equal.
  package mutating func runReported(_ generation: UInt64, at value: Request, isOld: Bool) {
    _ = change(generation) { $0.older = isOld || $0.newest != value ? [value] : [] }
  }

  private mutating func decision(_ step: RunTable<Effect.ID, Request>.Step) -> Decision? {
    switch step {
    case .create(let generation, let request, let begins):
      let run = Run(
        generation: generation, begun: request, newest: request, phase: begins ? .live : .waiting)
      runs[generation] = run
      return .run(begins ? .starts : .waits, run)
    case .begin(let generation): return change(generation) { $0.phase = .live }.map { .run(.starts, $0) }
    case .stop(let generation): return change(generation) { $0.phase = .stopped }.map { .run(.stops, $0) }
    case .discard(let generation): return runs.removeValue(forKey: generation).map { .run(.discards, $0) }
    case .handOver(let generation, let request):
      return change(generation) {
        $0.older.insert($0.newest)
        $0.newest = request
      }
      .map { .run(.handsOver, $0) }
    case .clash(let first, let second): return .clashes(first, second)
    }
  }

  private mutating func change(_ generation: UInt64, _ body: (inout Run) -> Void) -> Run? {
    guard var run = runs.removeValue(forKey: generation) else { return nil }
    body(&run)
    runs[generation] = run
    return run
  }
}
