import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What a test holds in place of the tasks of runs.
@Suite struct HeldRunTests {
  struct State: Equatable {
    var asked: Set<Int> = []
    var answers: [String] = []
    var gone = false
  }

  enum Action: Sendable, Equatable {
    case ask(Set<Int>)
    case answered(String)
  }

  struct Refused: Error {}

  struct AnswerEffect: EffectComponent {
    func requests(in state: Set<Int>) -> Set<Int> { state }
    func run(_ request: Int, send: Send<Action>) async throws(Refused) {
      await send(.answered("body \(request)"))
    }
    func action(for failure: Refused, of request: Int) -> Action { .answered("refused \(request)") }
  }

  final class Holder: RunHolder {
    let begun = Recorder<HeldRun>()
    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}
    let stopped = Recorder<HeldRun>()
    func begun(_ run: HeldRun) {
      run.answer.begin()
      begun.append(run)
    }
    func stopped(_ run: HeldRun) { stopped.append(run) }
  }

  let holder = Holder()
  let store: Store<State, Action>

  init() {
    var options = StoreOptions()
    options.seams.holder = holder
    options.seams.settlesWhenParked = true
    store = Store(initialState: State(), on: .immediate, options: options) { state, action in
      switch action {
      case .ask(let asked): state.asked = asked
      case .answered(let answer): state.answers.append(answer)
      }
    }
    store.connect(AnswerEffect(), to: \.asked)
  }

  /// A store that settles once its runs wait for the test.
  private func parking() -> Store<Int, Int> {
    var options = StoreOptions()
    options.seams.settlesWhenParked = true
    return Store(initialState: 0, on: .immediate, options: options) { $0 += $1 }
  }

  private var site: CallSite { CallSite(fileID: #fileID, line: #line) }

  @Test func whatIsStoppedIsToldAndItsSuccessorBeginsWhenItHasReturned() throws {
    store.dispatch(.ask([1]))
    store.dispatch(.ask([]))
    let run = try #require(holder.stopped.values.first)
    #expect(run.send(Action.answered("too late"), at: site) == .fenced)
    store.dispatch(.ask([1]))
    #expect(holder.begun.count == 1)
    run.finish()
    #expect(holder.begun.count == 2)
    #expect(store.state.answers.isEmpty)
  }

  /// Records the order in which runs begin and are stopped. Finishes a stopped run at once; after that it calls `look`.
  private final class OrderHolder: RunHolder {
    let reported = Recorder<String>()
    let seen = Recorder<Int>()
    let look: Lock<@Sendable () -> Int?> = Lock { nil }
    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}
    func begun(_ run: HeldRun) { reported.append("begun") }
    func stopped(_ run: HeldRun) {
      reported.append("stopped")
      run.finish()
      if let number = look.withLock({ $0 })() { seen.append(number) }
    }
  }

  private func makeStore(heldBy holder: OrderHolder) -> Store<Set<Int>, Set<Int>> {
    var options = StoreOptions()
    options.seams.holder = holder
    let store = Store<Set<Int>, Set<Int>>(initialState: [1, 2], on: .immediate, options: options) {
      state, asked in
      state = asked
    }
    store.connect(when: \.self, named: "asked") { _, _ in }
    return store
  }

  @Test("E1: what an action stops is stopped before what it starts begins")
  func stopsComeFirst() {
    let holder = OrderHolder()
    let store = makeStore(heldBy: holder)
    store.dispatch([3, 4])
    #expect(holder.reported.values == ["begun", "begun", "stopped", "stopped", "begun", "begun"])
  }

  @Test("settled() goes on waiting where the last run returns while a component is due")
  func componentIsDue() async throws {
    let holder = OrderHolder()
    let store = makeStore(heldBy: holder)
    let component = RecordingComponent<Int>()
    store.connect(component, props: \.count)
    try await component.finished.values(atLeast: 1)
    let settled = Task { await store.settled() }
    try await store.isAwaited()
    // Called before what the component watches is looked at.
    holder.look.withLock { look in
      look = { [weak store] in
        let waits = store.map { $0.waiterCount > 0 } ?? false
        // Another thread may have served it between the two stops: then all is settled.
        return waits || component.finished.values.contains(0) ? 1 : 0
      }
    }
    store.dispatch([])
    await settled.value
    #expect(holder.seen.values == [1, 1])
    #expect(component.finished.values == [2, 0])
  }

  @Test func afterTheLastHandleNothingIsReduced() throws {
    let holder = Holder()
    var store: Store<State, Action>? = {
      var options = StoreOptions()
      options.seams.holder = holder
      let store = Store<State, Action>(initialState: State(asked: [1]), on: .immediate, options: options) {
        state, action in
        if case .answered(let answer) = action { state.answers.append(answer) }
      }
      store.connect(AnswerEffect(), to: \.asked)
      return store
    }()
    let run = try #require(holder.begun.values.first)
    #expect(store?.state.asked == [1])
    store = nil
    #expect(holder.stopped.values.map(\.generation) == [run.generation])
    #expect(!run.isLive)
    #expect(run.send(Action.answered("too late"), at: site) == .refused)
    #expect(run.fail(Refused()))
    run.finish()
    run.serve()
  }

  /// A store whose one effect waits at a gate, with its run held.
  private func waiting(at gate: Gate, _ holder: Holder) throws -> (Store<Set<Int>, Set<Int>>, HeldRun) {
    var options = StoreOptions()
    options.seams.holder = holder
    let store = Store<Set<Int>, Set<Int>>(initialState: [1], on: .immediate, options: options) {
      state, asked in
      state = asked
    }
    store.connect(when: \.self, named: "waits") { _, _ in try? await gate.wait() }
    return (store, try #require(holder.begun.values.first))
  }

  @Test func aRunThatIsServedIsCancelledAsAnyOther() async throws {
    let (gate, holder) = (Gate(), Holder())
    let (store, run) = try waiting(at: gate, holder)
    run.serve()
    try await gate.waiters(atLeast: 1)
    await store.settled(after: [])
    #expect(gate.waiterCount == 0)
    #expect(holder.stopped.values.isEmpty)
  }

  @Test func aRunThatWasStoppedIsNotRevivedByServingIt() async throws {
    let (gate, holder) = (Gate(), Holder())
    let (store, run) = try waiting(at: gate, holder)
    store.dispatch([])
    #expect(holder.stopped.values.map(\.generation) == [run.generation])
    run.serve()
    #expect(!run.isLive)
    #expect(run.send(Set([7]), at: site) != .reduced)
    await store.settled()
    #expect(store.state == [])
    #expect(gate.waiterCount == 0)
  }

  /// Stopped on another thread while its body is about to begin: the body is cancelled, or never begins.
  @Test(arguments: 0..<TestSize.count(40, full: 200)) func aRunThatIsStoppedAsItIsServed(_: Int) async throws
  {
    let (gate, holder) = (Gate(), Holder())
    let (store, run) = try waiting(at: gate, holder)
    await withTaskGroup { group in
      group.addTask { run.serve() }
      group.addTask { _ = store.dispatch([]) }
    }
    for run in holder.stopped.values { run.finish() }
    await store.settled()
    #expect(gate.waiterCount == 0)
  }

  @Test func aWaitThatEndsBeforeItBeginsIsNone() async throws {
    let gate = Gate()
    let store = parking()
    let always = { @Sendable (_: Int) in Set([0]) }
    store.connect(when: always) { _, _ in
      let wait = Wait(.byTest, for: "nothing")
      wait?.end()
      wait?.begin()
      try? await gate.wait()
    }
    await store.settled()
    #expect(store.activity.entries.flatMap(\.work).map(\.waitsFor) == [["a gate"]])
  }
}
