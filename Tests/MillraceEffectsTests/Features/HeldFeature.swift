import Millrace
import MillraceTesting

/// The real store of a random feature, with its runs held.
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

    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}
    func begun(_ run: HeldRun) { live.withLock { $0[run.generation] = run } }

    func stopped(_ run: HeldRun) {
      live.withLock { $0[run.generation] = nil }
      run.finish()
    }
  }

  private let store: Store<FeaturePart, FeatureAction>
  private let holder = Holder()
  private let diagnosed = Recorder<String>()

  init(_ state: FeaturePart, _ plan: FeaturePlan) {
    var options = StoreOptions(
      diagnostics: StoreDiagnostics { [diagnosed] in if $0.kind != .longWait { diagnosed.append("\($0)") } })
    options.seams.holder = holder
    store = Store(initialState: state, on: .immediate, options: options, reduce: FeatureAction.reduce)
    plan.connectWhole(to: store)
  }

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

  /// A run sends an action, returns or fails.
  ///
  /// - Returns: whether there is such a run.
  func perform(_ outcome: ExploredOutcome, of place: Place) -> Bool {
    guard let run = run(at: place) else { return false }
    for action in outcome.actions {
      if run.send(action, at: CallSite(fileID: #fileID, line: #line)) != .reduced { return false }
    }
    if outcome.goesOn { return true }
    if let failure = outcome.failure { return end(run) { _ = run.fail(failure) } }
    return end(run) { run.finish() }
  }

  /// No body takes the value that is handed over to a run, and so a run of its own begins with it. The explorer's run has
  /// taken it.
  private func end(_ run: HeldRun, _ body: () -> Void) -> Bool {
    let former = Set(holder.live.withLock { $0.keys })
    holder.live.withLock { $0[run.generation] = nil }
    let wasLive = run.isLive
    body()
    if !wasLive { return true }
    let successor = holder.live.withLock { live in
      live.values.first {
        !former.contains($0.generation) && $0.identity.connection == run.identity.connection
          && $0.startedBy == nil
      }
    }
    if let successor {
      holder.live.withLock { $0[successor.generation] = nil }
      successor.finish()
    }
    return true
  }

  private func run(at place: Place) -> HeldRun? {
    holder.live.withLock { $0.values.first { Self.place(of: $0) == place } }
  }

  private static func place(of run: HeldRun) -> Place {
    Place(effect: run.identity.name, parts: run.parts, begun: AnyHashable(run.request))
  }
}
