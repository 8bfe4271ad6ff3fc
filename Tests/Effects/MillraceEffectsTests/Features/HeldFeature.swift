import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport

@testable import MillraceExplorer

/// The real store of a random feature. Its runs are held, but for those within policies, whose bodies are executed.
final class HeldFeature: Sendable {
  /// Tells a run from all others that go on at the same time.
  struct Place: Hashable, CustomStringConvertible {
    let effect: String
    let parts: [AnyHashable]
    let begun: AnyHashable

    var description: String { "\(effect)\(parts.map { "\($0.base)" }): \(begun.base)" }
  }

  private final class Holder: RunHolder {
    let live = Lock<[UInt64: HeldRun]>([:])
    private let plan: FeaturePlan

    init(_ plan: FeaturePlan) { self.plan = plan }

    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}

    func begun(_ run: HeldRun) {
      live.withLock { $0[run.generation] = run }
      if plan.effect(named: run.identity.name)?.isTimed == true { run.serve() } else { run.answer.begin() }
    }

    func stopped(_ run: HeldRun) {
      live.withLock { $0[run.generation] = nil }
      run.finish()
    }

    func witness(_ event: StoreEvent.Kind) {
      if case .runEnded(let run, _, _) = event { live.withLock { $0[run.generation] = nil } }
    }
  }

  private let store: Store<FeaturePart, FeatureAction>
  private let holder: Holder
  private let diagnosed = Recorder<String>()
  /// The values that runs have taken after the one that they began with.
  private let taken = Lock<[UInt64: AnyHashable]>([:])
  let world = FeatureWorld()
  private let recording: TraceRecording?

  /// - Parameter memory: where the store is recorded.
  init(_ state: FeaturePart, _ plan: FeaturePlan, recordedIn memory: TraceMemory) {
    var options = StoreOptions(
      diagnostics: StoreDiagnostics { [diagnosed] in if $0.kind != .longWait { diagnosed.append("\($0)") } })
    let holder = Holder(plan)
    self.holder = holder
    options.seams.holder = holder
    options.seams.settlesWhenParked = true
    options.seams.witness = { holder.witness($0) }
    store = Store(initialState: state, on: .immediate, options: options, reduce: FeatureAction.reduce)
    recording = try? store.record(to: .memory(memory), snapshotEvery: 16, verifies: false)
    plan.connect(to: store, world)
  }

  /// Ends the recording.
  func finishRecording() async throws { try await recording?.finish() }

  var state: FeaturePart { store.state }
  /// The mistakes that the store has reported.
  var problems: [String] { diagnosed.values }

  /// The runs in progress, with their numbers.
  var runs: [Place: [UInt64]] {
    Dictionary(grouping: holder.live.withLock { Array($0.values) }, by: Self.place)
      .mapValues { $0.map(\.generation).sorted() }
  }

  /// The names of the components.
  var components: [String] {
    store.activity.entries.filter { $0.isConnected && $0.connection.name.hasSuffix("component") }
      .map(\.connection.name).sorted()
  }

  func dispatch(_ action: FeatureAction) { store.dispatch(action) }

  /// Waits until all bodies wait for the test.
  func settle() async { await store.settled() }

  /// A run sends an action, returns or fails.
  ///
  /// - Parameter isOld: whether the run has not taken the newest value, which may be equal to its own.
  /// - Returns: whether there is such a run.
  func perform(_ outcome: ExploredOutcome, of place: Place, isOld: Bool) -> Bool {
    guard let run = run(at: place) else { return false }
    if let number = place.begun.base as? Int {
      let rows = FeaturePlan.rows(of: place.effect, place.parts)
      let place = FeatureWorld.Place(effect: place.effect, rows: rows)
      world.end(FeatureWorld.Served(place: place, number: number), fails: outcome.failure != nil)
      return true
    }
    // A run takes the newest value before it acts on it. A value that its own action leads to is left.
    if !isOld, AnyHashable(outcome.request) == AnyHashable(outcome.newestRequest) {
      run.takeValue()
      taken.withLock { $0[run.generation] = AnyHashable(outcome.request) }
    }
    for action in outcome.actions {
      if run.send(action, at: CallSite(fileID: #fileID, line: #line)) != .reduced { return false }
    }
    if outcome.continues { return true }
    holder.live.withLock { $0[run.generation] = nil }
    if let failure = outcome.failure { _ = run.fail(failure) } else { run.finish() }
    return true
  }

  /// Whether a run is where a failure of it says that it is: it takes values only when the test says so.
  func isHeld(at outcome: ExploredOutcome, _ place: Place) -> Bool {
    guard outcome.failure != nil, outcome.leavesValue, let run = run(at: place) else { return true }
    return taken.withLock { $0[run.generation] ?? AnyHashable(run.request) } == AnyHashable(outcome.request)
  }

  private func run(at place: Place) -> HeldRun? {
    holder.live.withLock { $0.values.first { Self.place(of: $0) == place } }
  }

  private static func place(of run: HeldRun) -> Place {
    Place(effect: run.identity.name, parts: run.parts, begun: AnyHashable(run.request))
  }
}
