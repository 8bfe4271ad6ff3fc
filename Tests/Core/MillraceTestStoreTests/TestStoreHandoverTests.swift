import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// Answers to a run to which the store has handed other values of its request.
@Suite struct TestStoreHandoverTests {
  struct State: Hashable, Sendable {
    var wanted: Set = [1]
    var log: [String] = []
  }

  enum Action: Hashable, Sendable {
    case want(Set<Int>)
    case said(String)
  }

  struct Offline: Error {}

  struct Following: HandoverEffectComponent {
    typealias Action = TestStoreHandoverTests.Action
    var shift = 0
    func id(of number: Int) -> String { "one" }
    func requests(in state: State) -> Set<Int> { Set(state.wanted.map { $0 + shift }) }
    func run(following numbers: RequestUpdates<Int>, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of number: Int) -> Action { .said("failed \(number)") }
  }

  private func store(
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void = { $0.connect(Following()) }
  ) -> TestStore<State, Action> {
    TestStore(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .want(let numbers): state.wanted = numbers
        case .said(let text): state.log.append(text)
        }
      }, connect: connect)
  }

  private func want(_ number: Int, of store: TestStore<State, Action>) {
    store.send(.want([number])) { $0.wanted = [number] }
  }

  private func running(_ store: TestStore<State, Action>) -> Set<Int> {
    Set(store.inProgress().requests(of: Int.self))
  }

  @Test(arguments: [false, true]) func theNewestValueIsTakenByItsAnswerOrFailure(isFailure: Bool) async {
    let store = store()
    want(2, of: store)
    if isFailure {
      store.fail(2, with: Offline()) { $0.log = ["failed 2"] }
    } else {
      store.answer(2, with: .said("done")) { $0.log = ["done"] }
    }
    #expect(running(store) == [])
    await store.finish()
  }

  @Test(arguments: [false, true]) func anEndForAnEarlierValueLeavesTheNewest(isFailure: Bool) async {
    let store = store()
    want(2, of: store)
    want(3, of: store)
    if isFailure {
      store.fail(1, with: Offline()) { $0.log = ["failed 1"] }
    } else {
      store.answer(1, with: .said("done")) { $0.log = ["done"] }
    }
    #expect(running(store) == [3])
    store.answer(3)
    #expect(running(store) == [])
    await store.finish()
  }

  @Test func aRunThatHasSentForAValueHasTakenItAndNoneBefore() async {
    let store = store()
    want(2, of: store)
    store.send(.said("half"), from: 2) { $0.log = ["half"] }
    want(3, of: store)
    let failures = await FailureCapture.failures { store.answer(1, line: 7) }
    #expect(failures.map(\.place.line) == [7])
    #expect(failures.first?.message.hasPrefix("No request 1 waits for an answer.") == true, "\(failures)")
    store.fail(2, with: Offline()) { $0.log = ["half", "failed 2"] }
    #expect(running(store) == [3])
    await store.finish(running: 3)
  }

  @Test func aNewestValueIsFoundBeforeAnEarlierOne() async {
    let store = store {
      $0.connect(Following(), named: "first")
      $0.connect(Following(shift: 1), named: "second")
    }
    want(2, of: store)
    store.answer(2)
    #expect(running(store) == [3])
    store.answer(2)
    #expect(running(store) == [3])
    await store.finish(running: 3)
  }
}
