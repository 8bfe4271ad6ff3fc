import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

private struct Refusal: Error {}

private enum MailAction: Sendable {
  case user(@Sendable (inout Navigation<Screen>) -> Void)
  case navigation(Navigation<Screen>.Action)
}

/// An interface that says what a program has done wrong with it.
@MainActor private final class Interface {
  private(set) var entries: [Navigation<Screen>.Entry] = []
  private(set) var problems: [String] = []
  private var performed: Set<UInt64> = []
  private var isBusy = false

  /// Swipes back, if there is something behind.
  func swipedBack() -> Navigation<Screen>.Entry.ID? { entries.count > 1 ? entries.removeLast().id : nil }

  func begin(_ step: Navigation<Screen>.Step) {
    if isBusy { problems.append("\(step) while another step is in progress") }
    isBusy = true
    if !performed.insert(step.number).inserted { problems.append("\(step) twice") }
  }

  func end(_ step: Navigation<Screen>.Step, isPerformed: Bool = true) {
    isBusy = false
    guard isPerformed else { return }
    switch step.change {
    case .pop(let entry):
      guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return }
      if index != entries.count - 1 { problems.append("\(step) is not the newest") }
      entries.remove(at: index)
    case .change(let entry, let screen):
      guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return }
      if entries[index].screen == screen { problems.append("\(step) changes nothing") }
      entries[index].screen = screen
    case .push(let entry):
      if entries.contains(where: { $0.id == entry.id }) { problems.append("\(step) again") }
      entries.append(entry)
    }
  }
}

@Suite("Routing", .timeLimit(.minutes(10))) @MainActor struct RoutingEffectTests {
  private func makeStore(
    _ navigation: Navigation<Screen>,
    perform: @escaping @Sendable (Navigation<Screen>.Step) async throws -> Void
  ) -> (Store<Navigation<Screen>, MailAction>, Connection) {
    let store = Store<Navigation<Screen>, MailAction>(initialState: navigation, on: .immediate) {
      navigation, action in
      switch action {
      case .user(let change): change(&navigation)
      case .navigation(let action): navigation.reduce(action)
      }
    }
    return (store, store.connect(RoutingEffect(perform: perform), to: \.self, action: MailAction.navigation))
  }

  @Test("an interface is slow: one step at a time, and then to the newest target")
  func slow() async throws {
    let (gate, interface, begun) = (Gate(), Interface(), Recorder<String>())
    let (store, _) = makeStore(Navigation([.inbox])) { step in
      await interface.begin(step)
      begun.append("\(step)")
      await gate.waitIgnoringCancellation()
      await interface.end(step)
    }
    try await gate.waiters(atLeast: 1)
    store.dispatch(.user { $0.push(.message(1)) })
    store.dispatch(.user { $0.show([.inbox, .settings]) })
    gate.open()
    await store.settled()
    #expect(begun.values == ["push #1 inbox", "push #3 settings"])
    #expect(store.state.isSettled && interface.entries == Array(store.state.wanted.entries))
    #expect(interface.problems == [])
  }

  @Test("an interface that does not come to an end is named with its step, and takes no time of its own")
  func hanging() async throws {
    let gate = Gate()
    let (store, connection) = makeStore(Navigation([.settings])) { _ in await gate.waitIgnoringCancellation()
    }
    try await gate.waiters(atLeast: 1)
    #expect("\(store.activity)".contains("push #1 settings"))
    connection.disconnect()
    gate.open()
    await connection.finished()
    #expect(store.state.shown.isEmpty)  // what came late is fenced
  }

  @Test("an error is a failure of the step, and what was reached is shown")
  func failing() async {
    let (store, _) = makeStore(Navigation([.inbox, .settings])) { step in
      if case .push(let entry) = step.change, entry.screen == .settings { throw Refusal() }
    }
    await store.settled()
    #expect(store.state.failure?.reason == "Refusal()" && store.state.shown.map(\.screen) == [.inbox])
    store.dispatch(.user { $0.giveUp() })
    await store.settled()
    #expect(store.state.isSettled)
  }

  @Test("a window that is made anew while a step is in progress gets the next step when that has returned")
  func resets() async throws {
    let (gate, interface) = (Gate(), Interface())
    let (store, _) = makeStore(Navigation([.inbox])) { step in
      await interface.begin(step)
      await gate.waitIgnoringCancellation()
      await interface.end(step, isPerformed: step.number > 1)
    }
    try await gate.waiters(atLeast: 1)
    store.dispatch(.user { $0.reset() })
    gate.open()
    await store.settled()
    #expect(
      store.state.isSettled && interface.entries == Array(store.state.shown) && interface.problems == [])
  }

  @Test(
    "an interface that is slow, fails and moves by itself shows in the end what is wanted",
    arguments: 0..<UInt64(max(20, TestSize.seeds(60, full: 500).count)) / 20)
  func random(score: UInt64) async {
    for seed in score * 20..<score * 20 + 20 {
      let problems = await session(seed)
      #expect(problems == [], "seed \(seed)")
    }
  }

  /// One session of a user and an interface.
  private func session(_ seed: UInt64) async -> [String] {
    var random = SeededGenerator(seed: seed)
    let (interface, isCalm) = (Interface(), Lock(false))
    let luck = Lock(SeededGenerator(seed: seed &+ 1 << 32))
    let (store, _) = makeStore(Navigation([.inbox])) { step in
      await interface.begin(step)
      let (yields, fails) = luck.withLock {
        (Int.random(in: 0...6, using: &$0), Int.random(in: 0..<8, using: &$0) == 0)
      }
      for _ in 0..<yields { await Task.yield() }
      let isPerformed = isCalm.withLock { $0 } || !fails
      await interface.end(step, isPerformed: isPerformed)
      if !isPerformed { throw Refusal() }
    }
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      let number = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: store.dispatch(.user { $0.push(.message(number)) })
      case 2: store.dispatch(.user { $0.pop() })
      case 3:
        store.dispatch(
          .user { navigation in
            if let id = navigation.wanted.entries.entry(number) { navigation.change(id, to: .settings) }
          })
      case 4:
        store.dispatch(.user { $0.show([Screen.inbox, .message(number), .settings].prefix(1 + number % 3)) })
      case 5:
        store.dispatch(
          .user { navigation in
            if let id = navigation.wanted.entries.entry(number) { navigation.pop(to: id) }
          })
      case 6: store.dispatch(.user { $0.retry() })
      default:
        if let id = interface.swipedBack() { store.dispatch(.user { $0.dismissed(id) }) }
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
    }
    isCalm.withLock { $0 = true }
    await store.settled()
    store.dispatch(.user { $0.retry() })
    await store.settled()
    var problems = interface.problems
    if !store.state.isSettled { problems.append("not settled: \(store.state)") }
    if interface.entries != Array(store.state.wanted.entries) {
      problems.append("\(interface.entries) are shown, not \(store.state.wanted.entries)")
    }
    return problems
  }
}

extension KeyedArray<Navigation<Screen>.Entry> {
  fileprivate func entry(_ number: Int) -> Element.ID? { isEmpty ? nil : self[number % count].id }
}
