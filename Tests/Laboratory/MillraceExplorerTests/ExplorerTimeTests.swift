import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Timers and policies act when they are due, as their effects tell.
@Suite struct ExplorerTimeTests {
  enum Kettle {
    struct State: Hashable, Sendable {
      var timers: Set<TimerRequest<String>> = []
      var rung: [String] = []
    }

    enum Action: Equatable, Sendable {
      case start(String, Int)
      case timer(TimerEvent<String>)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .start(let name, let seconds):
        if state.timers.count < 2 { state.timers.insert(TimerRequest(name, .after(.seconds(seconds)))) }
      case .timer(.fired(let name, _)):
        state.rung.append(name)
        state.timers = state.timers.filter { $0.id != name }
      case .timer: state.rung.append("refused")
      }
    }

    static func connect(to store: Store<State, Action>) {
      store.connect(TimerEffect(), to: \.timers, action: Action.timer)
    }
  }

  @Test func timersFireInTheOrderOfTheirTimes() {
    let report = Explorer(
      initialState: Kettle.State(
        timers: [TimerRequest("tea", .after(.seconds(3))), TimerRequest("egg", .after(.seconds(5)))]),
      reduce: Kettle.reduce, connect: Kettle.connect
    )
    .never("the egg before the tea") { $0.rung.first == "egg" }
    .alwaysReachable("both") { $0.rung == ["tea", "egg"] }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(report.counts.states == 3)
  }

  @Test func whatIsDueTogetherComesInEitherOrder() throws {
    let report = Explorer(
      initialState: Kettle.State(
        timers: [TimerRequest("tea", .after(.seconds(3))), TimerRequest("egg", .after(.seconds(3)))]),
      reduce: Kettle.reduce, connect: Kettle.connect
    )
    .never("the egg before the tea") { $0.rung == ["egg", "tea"] }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains("1. after 3.0 seconds, "), "\(found)")
    #expect(found.story.contains("2. at the same time, "), "\(found)")
    let request = #"TimerRequest<String>("egg", .after(Duration.seconds(3)), tolerance: nil)"#
    let event = #"TimerEvent<String>.fired("egg", TimerTick(count: 1, due: Duration.seconds(3), missed: 0))"#
    #expect(found.test.contains("store.answer(\(request), with: \(event))"), "\(found)")
  }

  @Test func aRepeatingTimerTicksOn() throws {
    let report = Explorer(
      initialState: Kettle.State(timers: [TimerRequest("tick", .every(.seconds(1)))]),
      reduce: { state, action in
        if case .timer(.fired(_, let tick)) = action { state.rung = ["\(tick.count)"] }
      },
      connect: Kettle.connect
    )
    .never("the third tick") { $0.rung == ["3"] }.explore(depth: 10)
    #expect(try #require(report.counterexamples.first).steps.count == 3)
  }

  @Test func aTimerWhoseOutcomesAreListedDoesNothingByItself() {
    let report = Explorer(
      initialState: Kettle.State(timers: [TimerRequest("tick", .every(.seconds(1)))]),
      reduce: Kettle.reduce, connect: Kettle.connect
    )
    .outcomes(of: TimerRequest<String>.self) { _ in [] }
    .explore()
    #expect(report.gaps == [.nothingToExplore, .nothingToCheck], "\(report)")
  }

  /// A tick does not cut an outcome short.
  @Test func anOutcomeComesToItsEndBeforeATimerTicks() {
    let refused = TimerEvent.refused("tick", .intervalIsZero)
    let report = Explorer(
      initialState: Kettle.State(timers: [TimerRequest("tick", .every(.seconds(1)))]),
      reduce: Kettle.reduce,
      connect: {
        $0.connect(TimerEffect().delayed(by: .seconds(1)), to: \.timers, action: Kettle.Action.timer)
      }
    )
    .outcomes(of: TimerRequest<String>.self, sending: TimerEvent<String>.self) { _ in
      [.sends(refused).then(.answers(refused))]
    }
    .never("a tick within it") { $0.rung == ["refused", "tick"] }
    .alwaysReachable("its end, or a tick") { $0.rung == ["refused", "refused"] || $0.rung == ["tick"] }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  /// A search that waits until the user stops typing.
  private func search<E: EffectComponent>(
    _ effect: E
  ) -> Explorer<Search.State, Search.Action> where E.State == Search.State, E.Action == Search.Action {
    Explorer(initialState: Search.State(), reduce: Search.reduce) { $0.connect(effect, named: "search") }
      .userActions { _ in [.queryChanged("a"), .queryChanged("ab")] }
  }

  @Test func aDebouncedRequestIsAnsweredWhenItHasWaited() throws {
    let report = search(Search.SearchEffect().debounced(for: .milliseconds(300)))
      .outcomes(of: String.self) { [.answers(.arrived([$0]))] }
      .never("an answer") { !$0.results.isEmpty }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.steps.count == 3)
    #expect(
      found.story.contains(#"2. after 0.3 seconds, search "a" begins to be served"#), "\(found)")
  }

  @Test func aTimeoutComesInPlaceOfAnAnswer() throws {
    let report = search(Search.SearchEffect().timingOut(after: .seconds(5), action: { .failed($0) }))
      .outcomes(of: String.self) { _ in [] }
      .alwaysReachable("it comes to rest") { !$0.isLoading }.explore()
    #expect(report.isClean, "\(report)")
  }
}

/// Two kettles that one function connects, and their timers.
enum Kitchen {
  typealias Kettle = ExplorerTimeTests.Kettle

  struct State: Hashable, Sendable {
    var left = Kettle.State()
    var right = Kettle.State()
  }

  enum Action: Equatable, Sendable {
    case left(Kettle.Action)
    case right(Kettle.Action)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .left(let action): Kettle.reduce(&state.left, action)
    case .right(let action): Kettle.reduce(&state.right, action)
    }
  }

  static func connect(to store: Store<State, Action>) {
    Kettle.connect(to: store.scope(\.left, action: Action.left))
    Kettle.connect(to: store.scope(\.right, action: Action.right))
  }
}

/// What one function connects in two places is two things.
@Suite struct ExplorerPlaceTests {
  @Test func equalTimersOfTwoScopesRunOnTheirOwn() {
    let report = Explorer(initialState: Kitchen.State(), reduce: Kitchen.reduce, connect: Kitchen.connect)
      .userActions { state in
        if state == Kitchen.State() { return [.left(.start("egg", 2))] }
        if state.left.rung.isEmpty { return [.left(.start("tea", 3))] }
        return state.left.rung == ["egg"] && !state.left.timers.isEmpty ? [.right(.start("tea", 3))] : []
      }
      // The right one begins when the left one has a second to go.
      .never("the right one before the left one") { !$0.right.rung.isEmpty && $0.left.rung == ["egg"] }
      .explore()
    #expect(report.isClean, "\(report)")
  }
}
