import Millrace
import MillraceSpelling

/// One run of one effect, alone: no reducer and no other effect answers what it sends.
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
/// The body executes in a task of its own, as in a store: what it sends passes the fence, and what it sends after it was
/// stopped is not among ``sent``. The run is stopped when the last reference to this object is released. All members can
/// be used from any thread.
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

  /// Waits until the run has returned, or waits for what only a test brings about: a ``TestClock`` to be advanced, a
  /// ``Gate`` to be opened, or another value to be handed over.
  ///
  /// No length of time is involved. Other waits of the body are awaited. A body that sends without end, and never
  /// waits, does not settle.
  public func settle() async { await store.settled() }

  /// Moves a test clock on from one deadline to the next, and settles before the first step and after each.
  public func advance(_ clock: TestClock, by duration: Duration) async {
    await clock.advance(by: duration) { await settle() }
  }

  /// Its actions so far, and its progress.
  public var outcome: RunOutcome<Effect.Action, Effect.Failure> {
    let state = store.state
    return RunOutcome(sent: state.sent, end: end(state))
  }

  /// The actions that it has sent and that a store would have reduced, in order.
  public var sent: [Effect.Action] { store.state.sent }

  /// The error that it has thrown, if it has.
  public var failure: Effect.Failure? { store.state.failure }

  /// Whether its body has returned or thrown, stopped or not.
  public var hasEnded: Bool { work.isEmpty }

  /// Stops the run, as a store does when the request leaves the state: its task is cancelled, and nothing more that it
  /// sends counts.
  ///
  /// Its body goes on until it returns: settle, and see that it ``hasEnded``.
  public func cancel() { store.dispatch(.asked(nil)) }

  /// Asks for another request in place of the one before, as a state does that has changed.
  ///
  /// With an equal identity the effect's `replacement` decides what happens to the run: it restarts, gets the value
  /// handed over, or ignores it. With another identity it is stopped, and another run begins. ``sent`` has what all runs
  /// sent.
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
  /// Begins one run of the effect, alone, on its own clocks and clients.
  ///
  /// ```swift
  /// let run = effect.begin("swift")
  /// await run.settle()
  /// ```
  ///
  /// Returns at once; the body executes in a task of its own.
  public func begin(_ request: Request) -> IsolatedRun<Self> { IsolatedRun(of: request, by: self) }

  /// Executes one run of the effect, alone, until it ends or waits for what only a test brings about, and returns what
  /// it has sent.
  ///
  /// ```swift
  /// let outcome = await effect.outcome(of: "Bergen")
  /// #expect(outcome == RunOutcome(sent: [.forecastArrived("rain")]))
  /// ```
  ///
  /// A run that waits at a ``TestClock`` or a ``Gate`` is stopped; to continue it, ``begin(_:)`` it instead.
  public func outcome(of request: Request) async -> RunOutcome<Action, Failure> {
    let run = begin(request)
    await run.settle()
    return run.outcome
  }
}
