import Millrace
import MillraceSpelling

/// One run of one effect, without a store's reducer and without other effects.
///
/// ```swift
/// let clock = TestClock()
/// let run = SearchEffect(client: SearchClient()).debounced(for: .seconds(1), clock: clock).begin("swift")
/// await run.settle()
/// #expect(run.outcome == RunOutcome(end: .waiting))
/// await run.advance(clock, by: .seconds(1))
/// #expect(run.outcome == RunOutcome(sent: [.arrived(["swift.org"])]))
/// ```
///
/// The body executes in its own task, as in a store. Its actions pass the fence: those sent after the run was stopped
/// are not in ``sent``. The run is stopped when the last reference to this object is released. All members can be used
/// from any thread.
public final class IsolatedRun<Effect: EffectComponent>: Sendable {
  private let store: Store<AloneState<Effect>, AloneAction<Effect>>

  init(of request: Effect.Request, by effect: Effect) {
    var options = StoreOptions(name: "\(Spelling.name(of: Effect.self)) alone")
    options.seams.settlesWhenParked = true
    store = Store(
      initialState: AloneState<Effect>(asked: request), on: .immediate, options: options,
      reduce: AloneState.reduce)
    store.connect(AloneEffect(effect: effect), to: \.asked, named: Spelling.name(of: Effect.self))
  }

  /// Waits until the run has returned, or waits for something that only the test brings about: a ``TestClock`` to be
  /// advanced, a ``Gate`` to be opened, or another value to be handed over.
  ///
  /// No time limit is involved. Other waits of the body are awaited. A body that sends without end and never waits does
  /// not settle.
  public func settle() async { await store.settled() }

  /// Advances a test clock from one deadline to the next, and settles before the first step and after each.
  public func advance(_ clock: TestClock, by duration: Duration) async {
    await clock.advance(by: duration) { await settle() }
  }

  /// The actions so far, and whether the run has ended.
  public var outcome: RunOutcome<Effect.Action, Effect.Failure> {
    let state = store.state
    return RunOutcome(sent: state.sent, end: end(state))
  }

  /// The actions that the run has sent and that a store would have reduced, in order.
  public var sent: [Effect.Action] { store.state.sent }

  /// The error that the run has thrown, if any.
  public var failure: Effect.Failure? { store.state.failure }

  /// Whether the body has returned or thrown, whether or not the run was stopped.
  public var hasEnded: Bool { work.isEmpty }

  /// Stops the run, as a store does when the request leaves the state. Its task is cancelled, and actions that it sends
  /// from now on do not count.
  ///
  /// Its body continues until it returns: settle, then check ``hasEnded``.
  public func cancel() { store.dispatch(.asked(nil)) }

  /// Asks for another request instead of the current one, as a changed state does.
  ///
  /// If the identity is equal, the effect's `replacement` decides what happens to the run: it restarts, gets the value
  /// handed over, or ignores it. If the identity differs, the run is stopped and another one begins. ``sent`` has the
  /// actions of all these runs.
  public func change(to request: Effect.Request) { store.dispatch(.asked(request)) }

  private var work: [StoreActivity.Work] {
    store.activity.entries.flatMap(\.work).filter { $0.phase != .finished }
  }

  private func end(_ state: AloneState<Effect>) -> RunOutcome<Effect.Action, Effect.Failure>.End {
    if let failure = state.failure { return .failed(failure) }
    let work = work
    if work.isEmpty { return state.asked == nil ? .stopped : .returned }
    return work.allSatisfy(\.waitsForTest) ? .waiting : .running
  }
}

extension EffectComponent {
  /// Begins one isolated run of the effect, with its own clocks and clients.
  ///
  /// ```swift
  /// let run = effect.begin("swift")
  /// await run.settle()
  /// ```
  ///
  /// Returns at once; the body executes in its own task.
  public func begin(_ request: Request) -> IsolatedRun<Self> { IsolatedRun(of: request, by: self) }

  /// Executes one isolated run of the effect until it ends or waits for something that only the test brings about.
  /// Returns the actions that it has sent.
  ///
  /// ```swift
  /// let outcome = await effect.outcome(of: "Bergen")
  /// #expect(outcome == RunOutcome(sent: [.forecastArrived("rain")]))
  /// ```
  ///
  /// A run that waits at a ``TestClock`` or a ``Gate`` is stopped. To let a run continue, use ``begin(_:)`` instead.
  public func outcome(of request: Request) async -> RunOutcome<Action, Failure> {
    let run = begin(request)
    await run.settle()
    return run.outcome
  }
}
