import Millrace
import MillraceTesting
import Testing

@testable import cases

/// What holds in every order of what may happen.
@Suite("Cases, explored") struct ExploredCasesTests {
  @Test("search: what is shown belongs to what was typed last")
  func search() {
    let report = Explorer(
      initialState: SearchAsYouType.State(), comparing: { ["\($0.query)", "\($0.results ?? [])"] },
      reduce: SearchAsYouType.reduce,
      connect: { SearchAsYouType.connect(to: $0, clock: TestClock()) { [$0] } }
    )
    .userActions { _ in [.typed("a"), .typed("b"), .typed("")] }
    .outcomes(of: String.self) { query in [.answers(.found(["\(query).org"]))] }
    .always("results are of the newest query") { state in
      state.results.map { $0 == ["\(state.query).org"] } ?? true
    }
    .eventually("a query is answered") { $0.results != nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("retry: a page is shown or given up, and is not asked for for ever")
  func retry() {
    let report = Explorer(
      initialState: RetryAndGiveUp.State(),
      comparing: { [$0.page ?? "", $0.text ?? "", $0.notice] }, reduce: RetryAndGiveUp.reduce,
      connect: { store in
        RetryAndGiveUp.connect(to: store, clock: TestClock()) {
          page throws(RetryAndGiveUp.Offline) in page
        }
      }
    )
    .userActions { _ in [.opened("a")] }
    .outcomes(of: String.self) { page in [.answers(.loaded(page)), .fails(RetryAndGiveUp.Offline())] }
    .inevitably("it ends") { $0.pending == nil }
    .always("what is shown has no notice") { $0.text == nil || $0.notice.isEmpty }
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
    .inevitably("all that is wanted arrives, or is refused once more") { $0.loads.isEmpty }
    .eventually("all that is wanted arrives") { $0.wanted.isEmpty && $0.token == "new" }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("optimistic: at rest, what is shown is what the server has")
  func optimistic() {
    let report = Explorer(
      initialState: OptimisticUpdate.State(),
      comparing: { ["\($0.confirmed) \($0.shown) \($0.notice)"] }, reduce: OptimisticUpdate.reduce,
      connect: { OptimisticUpdate.connect(to: $0) { _ throws(OptimisticUpdate.Refusal) in } }
    )
    .userActions { _ in [.tapped] }
    .outcomes(of: Bool.self) { isStarred in
      [.answers(.confirmed(isStarred)), .fails(OptimisticUpdate.Refusal())]
    }
    .always("at rest it is true") { state, running in !running.isEmpty || state.shown == state.confirmed }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("pages: they are in the list in their order, each once")
  func pages() {
    let report = Explorer(
      initialState: Pagination.State(), comparing: { ["\($0)"] }, reduce: Pagination.reduce,
      connect: { Pagination.connect(to: $0) { Pagination.Page(items: ["\($0)"]) } }
    )
    .userActions { _ in [.endSeen, .pulledToRefresh] }
    .outcomes(of: Int.self) { page in
      [.answers(.arrived(Pagination.Page(items: ["\(page)"], next: page < 3 ? page + 1 : nil)))]
    }
    .always("each page once, in order") { $0.items == (1...3).prefix($0.items.count).map { "\($0)" } }
    .eventually("the end is reached") { $0.next == nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("deadline: the job ends as a whole, whatever its parts do")
  func deadline() {
    let report = Explorer(
      initialState: WholeDeadline.State(),
      comparing: { ["\($0.missing.sorted()) \($0.done.sorted()) \($0.outcome)"] },
      reduce: WholeDeadline.reduce,
      connect: { WholeDeadline.connect(to: $0, clock: TestClock()) { _ in } }
    )
    .userActions { $0.missing.isEmpty ? [.began(["a", "b"])] : [] }
    .outcomes(of: String.self) { part in part == "a" ? [.answers(.finished(part))] : [] }
    .always("nothing runs after the end") { state, running in
      state.outcome.isEmpty || running.isEmpty
    }
    .inevitably("it ends") { $0.missing.isEmpty }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("parallel: all files are converted in the end, and the count is right")
  func parallel() {
    let report = Explorer(
      initialState: ParallelWithLimit.State(), comparing: { ["\($0.waiting.sorted()) \($0.total)"] },
      reduce: ParallelWithLimit.reduce, connect: { ParallelWithLimit.connect(to: $0) { _ in } }
    )
    .userActions { $0.total == 0 ? [.added(Set(1...4))] : [] }
    .outcomes(of: Int.self) { file in [.answers(.converted(file))] }
    .inevitably("all are converted") { $0.waiting.isEmpty }
    .eventually("the count is that of all") { $0.progress == "4 of 4" }
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
}
