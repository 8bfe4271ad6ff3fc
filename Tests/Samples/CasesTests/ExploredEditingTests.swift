import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

@testable import cases

/// What holds in every order of what may happen.
@Suite("Cases that edit, explored") struct ExploredEditingTests {
  /// The feature beside its server, which may have taken a tap whose answer comes too late or never.
  private struct Starred: Hashable, Sendable {
    var app = OptimisticUpdate.State()
    var server = OptimisticUpdate.Tap()
  }

  private enum StarredAction: Hashable, Sendable {
    case app(OptimisticUpdate.Action)
    case reached(OptimisticUpdate.Tap)
  }

  private actor Server: Component {
    func update(_ state: Starred) {}
  }

  @Sendable private static func reduce(_ state: inout Starred, _ action: StarredAction) {
    switch action {
    case .app(let action): OptimisticUpdate.reduce(&state.app, action)
    case .reached(let tap): if tap.number > state.server.number { state.server = tap }
    }
  }

  @Sendable private static func connect(to store: Store<Starred, StarredAction>) {
    let effect = OptimisticUpdate.SaveEffect { _ throws(OptimisticUpdate.Refusal) in }
    store.connect(effect, to: \.app, action: StarredAction.app)
    store.connect(Server(), named: "server")
  }

  private static func outcomes(
    of tap: OptimisticUpdate.Tap, at server: OptimisticUpdate.Tap
  ) -> [Outcome<OptimisticUpdate.Action>] {
    if server == tap { return [.answers(.saved(tap))] }
    return [.fails(OptimisticUpdate.Refusal(current: server.isStarred))]
  }

  @Test("optimistic: at rest, what is shown is what the server has")
  func optimistic() {
    let report = Explorer(initialState: Starred(), reduce: Self.reduce, connect: Self.connect)
      .userActions { $0.app.shown.number < 4 ? [.app(.tapped)] : [] }
      .component("server") { state in
        state.app.shown.number > state.server.number ? [.reached(state.app.shown)] : []
      }
      .outcomes(of: OptimisticUpdate.Tap.self, sending: OptimisticUpdate.Action.self) {
        (tap, run: RunHistory<Starred, OptimisticUpdate.Action>) in
        Self.outcomes(of: tap, at: run.state.server)
      }
      .always("at rest it is true") { state, running in
        !running.isEmpty || state.app.shown.isStarred == state.server.isStarred
      }
      .alwaysReachable("it comes to rest") { state, running in running.isEmpty }
      .explore()
    #expect(report.isClean, "\(report)")
    #expect(report.counts.states > 50)
  }

  @Test("offline: messages leave in their order")
  func offline() {
    let report = Explorer(
      initialState: OfflineQueue.State(), comparing: { "\($0)" }, reduce: OfflineQueue.reduce,
      connect: { OfflineQueue.connect(to: $0) { _ throws(OfflineQueue.Offline) in } }
    )
    .userActions { state in
      (state.lastID < 3 ? [.wrote("\(state.lastID)")] : []) + [.networkChanged(isOnline: !state.isOnline)]
    }
    .outcomes(of: OfflineQueue.Message.self) { [.answers(.sent($0)), .fails(OfflineQueue.Offline())] }
    .always("the newest are the ones that wait") { state in
      state.queue.map(\.id) == Array((1...3).prefix(state.lastID).suffix(state.queue.count))
    }
    .always("one at a time, and none offline") { state, running in running.count <= (state.isOnline ? 1 : 0) }
    .alwaysReachable("all is sent") { $0.lastID == 3 && $0.queue.isEmpty }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("undo: the count belongs to the text that is shown, or is on its way")
  func undo() {
    let report = Explorer(
      initialState: UndoWithLookup.State(), comparing: { ["\($0)"] }, reduce: UndoWithLookup.reduce,
      connect: { UndoWithLookup.connect(to: $0, count: \.count) }
    )
    .userActions { state in
      (state.text.past.count < 2 ? [.edited("a"), .edited("b")] : []) + [.undo, .redo]
    }
    .outcomes(of: String.self) { text in
      [.answers(.counted(UndoWithLookup.Counted(text: text, count: text.count)))]
    }
    .always("at rest the count is of the text") { state, running in
      !running.isEmpty || state.words?.text == state.text.present
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("wizard: what is ordered is what is shown, and nothing is ordered after going back")
  func wizard() {
    let whole = Wizard.Draft(address: "Mill Lane 2", card: "42")
    let report = Explorer(
      initialState: Wizard.State(), comparing: { "\($0)" }, reduce: Wizard.reduce,
      connect: { Wizard.connect(to: $0) { _ throws(Wizard.Refusal) in } }
    )
    .userActions { _ in [.entered(whole), .next, .back] }
    .outcomes(of: Wizard.Draft.self) { _ in [.answers(.ordered), .fails(Wizard.Refusal.address("no"))] }
    .always("only the summary orders") { state, running in
      running.requests(of: Wizard.Draft.self) == (state.isOrdering ? [state.draft] : [])
        && (!state.isOrdering || state.step == .summary)
    }
    .always("what is ordered is complete") { !$0.isOrdered || $0.draft == whole }
    .alwaysReachable("it is ordered") { $0.isOrdered }
    .explore()
    #expect(report.isClean, "\(report)")
    var ordering = Wizard.State(step: .summary, draft: whole, isOrdering: true)
    Wizard.reduce(&ordering, .entered(Wizard.Draft()))
    #expect(ordering.draft == whole)
  }

  @Test("validation: a mark is about the name that is shown, and only what was found free is taken")
  func validation() {
    let report = Explorer(
      initialState: Validation.State(), comparing: { "\($0)" }, reduce: Validation.reduce,
      connect: { Validation.connect(to: $0, clock: TestClock(), isFree: { _ in true }, take: { _ in true }) }
    )
    .userActions { $0.taken == nil ? [.typed("ann"), .typed("anna"), .confirmed] : [] }
    .outcomes(of: String.self, from: "check") { name in
      [.answers(.checked(Validation.Verdict(name: name, isFree: name == "anna")))]
    }
    .outcomes(of: String.self, from: "take") {
      [.answers(.took($0, isDone: true)), .answers(.took($0, isDone: false))]
    }
    .always("no tick on a name that is taken") { !($0.name == "ann" && $0.mark == "free") }
    .always("what is taken was free") { $0.taken != "ann" }
    .alwaysReachable("a name is taken") { $0.taken == "anna" }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("refresh: no page is asked for with a token that was refused")
  func refresh() {
    let report = Explorer(
      initialState: SharedRefresh.State(token: "old"),
      comparing: { ["\($0.token ?? "")", "\($0.wanted.sorted())", "\($0.pages.keys.sorted())"] },
      reduce: SharedRefresh.reduce,
      connect: { store in
        SharedRefresh.connect(to: store, load: { load throws(SharedRefresh.Refusal) in load.token }) { "new" }
      }
    )
    .userActions { _ in [.wanted([1, 2])] }
    .outcomes(of: SharedRefresh.Load.self) { load in
      load.token == "old" ? [.fails(SharedRefresh.Refusal.expired)] : [.answers(.loaded(load.page, "text"))]
    }
    .outcomes(of: String.self) { _ in [.answers(.refreshed("new"))] }
    .never("a token that was refused is kept") { state, running in
      state.token == nil && !running.requests(of: SharedRefresh.Load.self).isEmpty
    }
    .eventually("all that is wanted arrives, or is refused once more") { $0.loads.isEmpty }
    .alwaysReachable("all that is wanted arrives") { $0.wanted.isEmpty && $0.token == "new" }
    .explore()
    #expect(report.isClean, "\(report)")
  }
}
