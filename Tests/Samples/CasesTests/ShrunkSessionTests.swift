import Millrace
import MillraceExplorer
import MillraceTesting
import RandomSession
import Testing

@testable import cases

/// In the recording of a long session by chance, a bug that was planted in a case is found as shortly as by exploring, or
/// nearly so.
///
/// Left out are the cases without a user or a choice, which go one way to their end, and those whose actions hold events of
/// ledgers or of the wall clock, which a recording has as text.
@Suite("Cases, recorded and shrunk") struct ShrunkSessionTests {
  /// - Parameter seldom: changes what the user may do, so that the session goes on for long.
  private func check<State: Equatable & Sendable, Action: Codable & Sendable>(
    _ feature: Explorer<State, Action>, shortest: @escaping @Sendable (State) -> [Action],
    session: (@Sendable (State) -> [Action])? = nil, seed: UInt64, moves: Int
  ) async throws {
    let report = feature.userActions(shortest).explore()
    let first = try #require(report.counterexamples.first)
    #expect(first.steps.count == moves, "\(first)")
    let shrunk = try await feature.userActions(session ?? shortest).shrunkSession(seed: seed)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves > 300, "\(shrunk)")
    #expect(found.property == first.property)
    #expect(found.steps.count <= moves + 5, "\(shrunk)")
  }

  @Test("search: results that stay while somebody types on")
  func search() async throws {
    let explorer = Explorer(
      initialState: SearchAsYouType.State(), comparing: { ["\($0.query)", "\($0.results ?? [])"] },
      reduce: { state, action in
        let results = state.results
        SearchAsYouType.reduce(&state, action)
        if case .typed = action { state.results = results }
      },
      connect: { SearchAsYouType.connect(to: $0, clock: TestClock()) { [$0] } }
    )
    .outcomes(of: String.self) { query in [.answers(.found(["\(query).org"]))] }
    .always("results are of the newest query") { state in
      state.results.map { $0 == ["\(state.query).org"] } ?? true
    }
    try await check(
      explorer, shortest: { _ in [.typed("a"), .typed("b"), .typed("")] }, seed: 1, moves: 4)
  }

  @Test("offline: messages that change places when the network goes")
  func offline() async throws {
    let explorer = Explorer(
      initialState: OfflineQueue.State(), comparing: { "\($0)" },
      reduce: { state, action in
        OfflineQueue.reduce(&state, action)
        if action == .networkChanged(isOnline: false) { state.queue.reverse() }
      },
      connect: { OfflineQueue.connect(to: $0) { _ throws(OfflineQueue.Offline) in } }
    )
    .outcomes(of: OfflineQueue.Message.self) { [.answers(.sent($0)), .fails(OfflineQueue.Offline())] }
    .always("messages are in their order") { state in
      zip(state.queue, state.queue.dropFirst()).allSatisfy { $0.id < $1.id }
    }
    try await check(
      explorer,
      shortest: { state in
        (state.lastID < 3 ? [.wrote("a")] : []) + [.networkChanged(isOnline: !state.isOnline)]
      },
      session: { state in
        [.networkChanged(isOnline: !state.isOnline)] + (state.queue.isEmpty ? [.wrote("a")] : [])
          + (state.lastID > 60 ? [.wrote("b")] : [])
      }, seed: 4, moves: 3)
  }

  @Test("undo: a count that does not come for one of the texts")
  func undo() async throws {
    let explorer = Explorer(
      initialState: UndoWithLookup.State(), comparing: { ["\($0)"] },
      reduce: { state, action in
        if case .counted(let words) = action, words.text == "bb" { return }
        UndoWithLookup.reduce(&state, action)
      },
      connect: { UndoWithLookup.connect(to: $0, count: \.count) }
    )
    .outcomes(of: String.self) { text in
      [.answers(.counted(UndoWithLookup.Counted(text: text, count: text.count)))]
    }
    .always("at rest the count is of the text") { state, running in
      !running.isEmpty || state.words?.text == state.text.present
    }
    try await check(
      explorer,
      shortest: { state in (state.text.past.count < 2 ? [.edited("a"), .edited("bb")] : []) + [.undo, .redo]
      },
      session: { state in
        [.edited("a"), .edited("c"), .edited("d"), .undo, .redo]
          + (state.text.past.count > 20 ? [.edited("bb")] : [])
      }, seed: 1, moves: 2)
  }

  @Test("wizard: an order that goes on after going back")
  func wizard() async throws {
    let explorer = Explorer(
      initialState: Wizard.State(), comparing: { "\($0)" },
      reduce: { state, action in
        let isOrdering = state.isOrdering
        Wizard.reduce(&state, action)
        if action == .back { state.isOrdering = isOrdering }
      },
      connect: { Wizard.connect(to: $0) { _ throws(Wizard.Refusal) in } }
    )
    .outcomes(of: Wizard.Draft.self) { _ in [.fails(Wizard.Refusal.address("no"))] }
    .always("only the summary orders") { state, running in !state.isOrdering || state.step == .summary }
    let whole = Wizard.Draft(address: "Mill Lane 2", card: "42")
    try await check(
      explorer, shortest: { _ in [.entered(whole), .next, .back] },
      session: { state in
        [.entered(whole), .entered(Wizard.Draft()), .next] + (state.isOrdering ? [] : [.back, .back])
          + (state.isOrdering && state.notice.isEmpty ? [.back] : [])
      }, seed: 1, moves: 5)
  }

  @Test("windows: a save of which one window takes no note")
  func windows() async throws {
    let explorer = Explorer(
      initialState: ManyWindows.State(), comparing: { "\(Array($0.windows))" },
      reduce: { state, action in
        if case .window(3, .saved) = action { return }
        ManyWindows.reduce(&state, action)
      },
      connect: { ManyWindows.connect(to: $0, clock: TestClock()) { _, _ in } }
    )
    .outcomes(of: String.self, sending: ManyWindows.Window.Action.self) { [.answers(.saved($0))] }
    .always("at rest all is saved") { state, running in
      !running.isEmpty || state.windows.allSatisfy { $0.unsaved == nil }
    }
    let actions: @Sendable (ManyWindows.State, ClosedRange<Int>) -> [ManyWindows.Action] = { state, ids in
      ids.flatMap { id in
        state.windows.contains(id: id)
          ? [.window(id, .typed("a")), .window(id, .typed("b")), .closed(id)] : [.opened(id)]
      }
    }
    try await check(
      explorer, shortest: { actions($0, 3...3) }, session: { actions($0, 1...4) }, seed: 1, moves: 4)
  }

  @Test("optimistic: a refused tap that stays on the screen")
  func optimistic() async throws {
    let explorer = Explorer(
      initialState: OptimisticUpdate.State(),
      reduce: { state, action in
        let shown = state.shown
        OptimisticUpdate.reduce(&state, action)
        if case .refused = action { state.shown.isStarred = shown.isStarred }
      },
      connect: { $0.connect(OptimisticUpdate.SaveEffect { _ throws(OptimisticUpdate.Refusal) in }) }
    )
    .outcomes(of: OptimisticUpdate.Tap.self, sending: OptimisticUpdate.Action.self) { tap in
      Array(repeating: .answers(.saved(tap)), count: tap.number < 3 ? 1 : 12)
        + [.fails(OptimisticUpdate.Refusal(current: !tap.isStarred))]
    }
    .always("at rest, what is shown is confirmed") { state, running in
      !running.isEmpty || state.shown.isStarred == state.confirmed.isStarred
    }
    try await check(
      explorer, shortest: { $0.shown.number < 3 ? [.tapped] : [] }, session: { _ in [.tapped] }, seed: 1,
      moves: 2)
  }

  @Test("pages: a refresh that leaves the old pages")
  func pages() async throws {
    let explorer = Explorer(
      initialState: Pagination.State(), comparing: { ["\($0)"] },
      reduce: { state, action in
        let items = state.items
        Pagination.reduce(&state, action)
        if action == .pulledToRefresh { state.items = items }
      },
      connect: { Pagination.connect(to: $0) { Pagination.Page(items: ["\($0)"]) } }
    )
    .outcomes(of: Int.self) { page in
      [.answers(.arrived(Pagination.Page(items: ["\(page)"], next: page < 3 ? page + 1 : nil)))]
    }
    .always("each page once") { Set($0.items).count == $0.items.count }
    try await check(
      explorer, shortest: { _ in [.endSeen, .pulledToRefresh] },
      session: { state in Array(repeating: .endSeen, count: 20) + [.pulledToRefresh] }, seed: 1, moves: 3)
  }
}
