import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// A mailbox with a sign-in, links that wait for it, and an interface: all that may happen to it.
private enum Mailbox {
  struct State: Sendable {
    var navigation = Navigation<Screen>([.inbox])
    var isSignedIn = false
    /// Where a link leads that waits for the sign-in.
    var link: [Screen]?
    /// What is on the screen.
    var screen: [Navigation<Screen>.Entry.ID] = []
    /// Whether a link was opened and nothing has been done since.
    var opened: [Screen]?
    var problem: String?

    /// The entry that is on its way.
    var pushed: Navigation<Screen>.Entry? {
      if case .push(let entry)? = navigation.step?.change { entry } else { nil }
    }
  }

  enum Action: Hashable, Sendable {
    case push
    case pop
    case opened([Screen])
    case signedIn
    case swiped
    /// The screen that is on its way is swiped away.
    case swipedEarly
    case retry
    case navigation(Navigation<Screen>.Action)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .push:
      state.navigation.push(.message(1))
      state.opened = nil
    case .pop:
      state.navigation.pop()
      state.opened = nil
    case .opened(let screens):
      state.link = screens
      state.opened = screens
    case .signedIn: state.isSignedIn = true
    case .swiped:
      state.navigation.dismissed(state.screen.removeLast())
      state.opened = state.link
    case .swipedEarly:
      if let id = state.pushed?.id { state.navigation.dismissed(id) }
      state.opened = state.link
    case .retry: state.navigation.retry()
    case .navigation(let report):
      if case .performed = report, let step = state.navigation.step { perform(step, &state) }
      state.navigation.reduce(report)
    }
    if state.isSignedIn, let link = state.link {
      state.navigation.show(link)
      state.link = nil
    }
  }

  /// What the interface does, and what it is not to be told to do.
  private static func perform(_ step: Navigation<Screen>.Step, _ state: inout State) {
    switch step.change {
    case .pop(let entry):
      guard let index = state.screen.firstIndex(of: entry.id) else { return }
      if index != state.screen.count - 1 { state.problem = "\(step) is not the newest" }
      state.screen.remove(at: index)
    case .change: break
    case .push(let entry):
      if state.screen.contains(entry.id) { state.problem = "\(step) again" }
      state.screen.append(entry.id)
    }
  }

  @Sendable static func connect(to store: Store<State, Action>) {
    store.connect(RoutingEffect<Screen> { _ in }, to: \.navigation, action: Action.navigation)
  }
}

@Suite("Everything that may happen to a navigation") struct NavigationExplorationTests {
  /// What tells states apart: the identities by their order alone, since they grow for ever.
  private static func part(of state: Mailbox.State) -> [[String]] {
    let navigation = state.navigation
    let step = navigation.step
    let changing = step.map { [$0.change.entry] } ?? []
    var known: [Navigation<Screen>.Entry.ID] = []
    let paths = [Array(navigation.wanted.entries), Array(navigation.shown), changing].map { entries in
      entries.map { entry in
        if !known.contains(entry.id) { known.append(entry.id) }
        return "\(known.firstIndex(of: entry.id) ?? 0) \(entry.screen)"
      }
    }
    let screen = state.screen.map { id in "\(known.firstIndex(of: id) ?? -1)" }
    return paths + [
      screen,
      [
        "\(state.isSignedIn) \(state.link ?? []) \(navigation.failure != nil) \(state.opened ?? [])",
        step.map { "\($0.change)".prefix(6) + "\($0.isLast)" } ?? "",
      ],
    ]
  }

  private let explorer = Explorer(
    initialState: Mailbox.State(), comparing: { state, _ in Self.part(of: state) }, reduce: Mailbox.reduce,
    connect: Mailbox.connect
  )
  .userActions { state in
    var actions: [Mailbox.Action] = [
      .retry, .opened([.inbox, .message(1), .settings]), .opened([.settings]),
    ]
    if state.navigation.wanted.entries.count < 3 { actions.append(.push) }
    if state.navigation.wanted.entries.count > 1 { actions.append(.pop) }
    if state.screen.count > 1 { actions.append(.swiped) }
    if !state.screen.isEmpty, state.pushed != nil { actions.append(.swipedEarly) }
    if !state.isSignedIn { actions.append(.signedIn) }
    return actions
  }
  .outcomes(of: Navigation<Screen>.Step.self, sending: Navigation<Screen>.Action.self) { step in
    [.answers(.performed(step.number)), .answers(.failed(step.number, reason: "no"))]
  }
  .crashes { state in
    var restored = Mailbox.State()
    restored.navigation = Navigation(state.navigation.wanted)
    restored.isSignedIn = state.isSignedIn
    restored.link = state.link
    return restored
  }

  @Test("slow presenters, failures, swipes, links and restarts: what is shown comes to what is wanted")
  func converges() {
    let report =
      explorer
      .always("the interface is told nothing wrong") { $0.problem == nil }
      .always("what is shown is on the screen") { $0.navigation.shown.map(\.id) == $0.screen }
      .always("it rests only where what is wanted is shown, or after a failure") { state, running in
        !running.isEmpty || state.navigation.isSettled || state.navigation.failure != nil
      }
      .always("a failure is of what is still wanted") {
        $0.navigation.failure == nil || !$0.navigation.isSettled
      }
      .always("a link is where it leads, or waits for the sign-in") { state in
        state.opened.map { state.isSignedIn ? state.navigation.wanted.screens == $0 : state.link == $0 }
          ?? true
      }
      .eventually("it comes to rest") { $0.navigation.step == nil }
      .alwaysReachable("what is wanted is shown") { $0.navigation.isSettled }
      .explore()
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states > 700, "\(report.counts)")
  }
}
