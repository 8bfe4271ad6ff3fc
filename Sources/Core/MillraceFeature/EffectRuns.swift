import Millrace

/// What a store does with a run.
package enum RunTransition: String {
  case starts
  /// The run starts once the stopped run of its identity has returned.
  case waits
  case handsOver = "hands over"
  case stops
  /// A waiting run is dropped before it starts.
  case discards
}

/// The runs of one connected effect, as a pure value. Its inputs say what happened; its results say what a store
/// decides.
///
/// Outside of the runtime, only this type steps a ``RunTable``. Copies evolve independently. Nothing is executed.
package struct EffectRuns<Effect: EffectComponent> {
  package typealias Request = Effect.Request

  /// A run that has been decided on and has not returned.
  package struct Run {
    package let generation: UInt64
    /// The request that the run begins with.
    package let begun: Request
    /// The newest value of its request.
    package fileprivate(set) var newest: Request
    /// Earlier values that the run may be serving, if it has not taken the newest one.
    package fileprivate(set) var older: Set<Request> = []
    package fileprivate(set) var phase: Phase

    package enum Phase {
      /// The run starts once the stopped run of its identity has returned.
      case waiting
      case live
      case stopped
    }
  }

  /// A decision of a store. Runs are stopped before others start.
  package enum Decision {
    case run(RunTransition, Run)
    /// Two requests of one set share an identity; the first is served.
    case clashes(Request, Request)
  }

  private let effect: Effect
  private var table = RunTable<Effect.ID, Request>()
  private var generations: UInt64 = 0
  /// The runs by generation.
  private var runs: [UInt64: Run] = [:]

  package init(_ effect: Effect) { self.effect = effect }

  /// The live runs, in the order in which they were decided on.
  package var live: [Run] { runs(in: .live) }

  private func runs(in phase: Run.Phase) -> [Run] {
    runs.values.filter { $0.phase == phase }.sorted { $0.generation < $1.generation }
  }

  /// The state asks for exactly `requests`, which are distinct. They are empty once the connection has ended.
  package mutating func requestsChanged(to requests: [Request]) -> [Decision] {
    let steps = table.requestsChanged(
      to: requests.map { (effect.id(of: $0), $0) }, replacement: effect.replacement, generations: &generations
    )
    var decisions: [Decision] = []
    steps.inOrder { step in if let decision = decision(step) { decisions.append(decision) } }
    return decisions
  }

  /// The body of a run has returned.
  ///
  /// - Parameter leavingValue: whether the run has not taken the newest value that was handed over to it.
  package mutating func runReturned(_ generation: UInt64, leavingValue: Bool = false) -> Decision? {
    guard let run = runs.removeValue(forKey: generation) else { return nil }
    return table.runReturned(
      generation, id: effect.id(of: run.begun), leftValue: leavingValue, generations: &generations
    )
    .flatMap { decision($0) }
  }

  /// The bodies of all stopped runs have returned.
  package mutating func stoppedRunsReturned() -> [Decision] {
    runs(in: .stopped).compactMap { runReturned($0.generation) }
  }

  /// A run has reported which of its values it serves.
  ///
  /// - Parameter isOld: whether it has not taken the newest value, which may be equal to `value`.
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
