import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import Testing

/// A run that ends after a value was handed over to it has taken the value, or another run begins with it.
@Suite struct ExplorerHandoverTests {
  struct Offline: Error {}

  struct State: Hashable, Sendable {
    var wanted = 1
    var log: [String] = []
  }

  enum Action: Hashable, Sendable {
    case want(Int)
    case said(String)
  }

  struct FollowingEffect: HandoverEffectComponent {
    typealias Action = ExplorerHandoverTests.Action
    func id(of number: Int) -> String { "one" }
    func requests(in state: State) -> Set<Int> { [state.wanted] }
    func run(following numbers: RequestUpdates<Int>, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of number: Int) -> Action { .said("failed \(number)") }
  }

  /// The words said and the requests in progress after `2` was handed over and the run has had an outcome.
  private func ends(_ outcome: MillraceExplorer.Outcome<Action>) -> Set<[String]> {
    let ends = Recorder<[String]>()
    let report = explorer(outcome)
      .always("recorded") { state, running in
        if !state.log.isEmpty { ends.append(state.log + running.all.map { "\($0)" }) }
        return true
      }
      .explore()
    #expect(report.isClean, "\(report)")
    return Set(ends.values)
  }

  private func explorer(_ outcome: MillraceExplorer.Outcome<Action>) -> Explorer<State, Action> {
    Explorer(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .want(let number): state.wanted = number
        case .said(let text): state.log.append(text)
        }
      }, connect: { $0.connect(FollowingEffect()) }
    )
    .userActions { $0.wanted == 1 && $0.log.isEmpty ? [.want(2)] : [] }
    .outcomes(of: Int.self) { _, run in run.state.log.isEmpty && run.state.wanted == 2 ? [outcome] : [] }
  }

  @Test func aValueThatIsLeftBeginsAnotherRun() {
    #expect(ends(.answers(.said("done"))) == [["done"], ["done", "2"]])
  }

  @Test func aRunThatFailsMayLeaveItsValue() {
    #expect(ends(.fails(Offline())) == [["failed 2"], ["failed 1", "2"]])
  }

  /// The printed test names the value that the run has taken.
  @Test func aStoryAndATestTellWhetherTheValueIsTaken() throws {
    let answered = explorer(.answers(.said("done")))
    let taken = try #require(
      answered.never("taken") { !$0.log.isEmpty && $1.isEmpty }.explore().counterexamples.first)
    #expect(taken.story.contains(#"FollowingEffect 2 answers .said("done")\#n"#), "\(taken)")
    let guarded = "if store.inProgress().contains(2) { store"
    #expect(taken.test.contains(#"\#(guarded).answer(2, with: .said("done")) }"#), "\(taken)")
    let left = try #require(
      answered.never("left") { !$0.log.isEmpty && !$1.isEmpty }.explore().counterexamples.first)
    let step = #"1 answers .said("done"), and has not taken the value that was handed over to it"#
    #expect(left.story.contains(step), "\(left)")
    #expect(left.test.contains(#"\#(guarded).answer(1, with: .said("done")) }"#), "\(left)")
  }

  @Test func aFailureTellsWhetherTheValueIsTaken() throws {
    let failed = explorer(.fails(Offline()))
    let taken = try #require(
      failed.never("taken") { !$0.log.isEmpty && $1.isEmpty }.explore().counterexamples.first)
    #expect(taken.story.contains("FollowingEffect 2 fails with Offline()\n"), "\(taken)")
    #expect(taken.test.contains("store.fail(2, with: ExplorerHandoverTests.Offline()) }"), "\(taken)")
    let left = try #require(
      failed.never("left") { !$0.log.isEmpty && !$1.isEmpty }.explore().counterexamples.first)
    let step = "1 fails with Offline(), and has not taken the value that was handed over to it"
    #expect(left.story.contains(step), "\(left)")
    #expect(left.test.contains("store.fail(1, with: ExplorerHandoverTests.Offline()) }"), "\(left)")
  }

  /// The actions before it are those of a run that has not taken the value, too.
  @Test func aRunThatLeavesItsValueHasNotTakenItBefore() throws {
    let left = try #require(
      explorer(.answers(.said("a"), .said("b")))
        .never("left") { $0.log.count == 2 && !$1.isEmpty }.explore().counterexamples.first)
    #expect(left.test.contains(#"contains(2) { store.send(.said("a"), from: 1) }"#), "\(left)")
    #expect(left.test.contains(#"contains(2) { store.answer(1, with: .said("b")) }"#), "\(left)")
  }

  @Test func aRunThatGoesOnLeavesNothing() {
    #expect(ends(.sends(.said("tick"))) == [["tick", "2"]])
  }
}

/// A run to which values were handed over is at any of those that it may have taken.
@Suite struct ExplorerHandedValueTests {
  struct Offline: Error {}

  struct State: Hashable, Sendable {
    var text = 1
    var stored = 0
    var log: [String] = []
  }

  enum Action: Hashable, Sendable {
    case edited(Int)
    case stored(Int)
    case failed(Int)
  }

  struct SavingEffect: HandoverEffectComponent {
    typealias Action = ExplorerHandedValueTests.Action
    func id(of text: Int) -> String { "text" }
    func requests(in state: State) -> Set<Int> { state.text == state.stored ? [] : [state.text] }
    func run(following texts: RequestUpdates<Int>, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of text: Int) -> Action { .failed(text) }
  }

  /// The words of what was reduced, as far as the explorer lists outcomes.
  private func explorer(
    _ outcomes: @escaping @Sendable (Int) -> [MillraceExplorer.Outcome<Action>],
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void = { $0.connect(SavingEffect()) }
  ) -> Explorer<State, Action> {
    Explorer(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .edited(let text): state.text = text
        case .stored(let text):
          state.log.append("stored \(text) of \(state.text)")
          state.stored = state.text  // the mistake: what was stored may be older
        case .failed(let text): state.log.append("failed \(text)")
        }
      }, connect: connect
    )
    .userActions { state in state.log.isEmpty && state.text < 3 ? [.edited(state.text + 1)] : [] }
    .outcomes(of: Int.self) { text, run in run.state.log.count < 3 ? outcomes(text) : [] }
  }

  private func logs(_ explorer: Explorer<State, Action>) -> Set<[String]> {
    let logs = Recorder<[String]>()
    let report = explorer.always("recorded") { state in
      logs.append(state.log)
      return true
    }.explore(depth: 8)
    #expect(report.problems.isEmpty, "\(report)")
    return Set(logs.values)
  }

  @Test func aRunThatWorksAtAnOlderValueAnswersForIt() {
    let logs = logs(explorer { [.answers(.stored($0))] })
    let first = (1...3).flatMap { newest in (1...newest).map { ["stored \($0) of \(newest)"] } }
    #expect(logs == Set([[]] + first))
  }

  /// Each policy passes on what is handed over, so that the run within may be at an older value.
  @Test(arguments: EachPolicy.allCases)
  func withinEachPolicyAnOlderValueIsAnswered(_ policy: EachPolicy) throws {
    let report = explorer({ [.sends(.stored($0))] }) {
      policy.connect(SavingEffect(), sending: .failed(0), to: $0)
    }
    .never("lost") { $0.log.last == "stored 1 of 2" }.explore(depth: 8)
    #expect(report.counterexamples.count == 1, "\(policy): \(report)")
  }

  enum Turn: Equatable, Sendable {
    case turned
    case saving(StorageEvent)
  }

  /// Each save has a number of its own, and a run may be at any of them. Described by their values, they are few.
  @Test func savesThatAreDescribedByTheirValuesAreFew() {
    let report = Explorer<Saving<Int>, Turn>(
      initialState: Saving(StoredValue(value: 0), or: 0),
      comparing: { saving, running in
        [saving.value, saving.isSaved ? 1 : 0] + running.requests(of: SaveRequest<Int>.self).map(\.value)
      },
      reduce: { saving, turn in
        switch turn {
        case .turned: saving.save { $0 = ($0 + 1) % 3 }
        case .saving(let event): saving.reduce(event)
        }
      },
      connect: { $0.connect(StorageEffect(FileStorage(at: "/nowhere")), to: \.self, action: Turn.saving) }
    )
    .userActions { _ in [.turned] }
    .outcomes(of: SaveRequest<Int>.self, sending: StorageEvent.self) {
      [.answers(.saved(generation: $0.generation))]
    }
    .explore(states: 1000)
    #expect(report.bounds.isEmpty, "\(report)")
  }
}
