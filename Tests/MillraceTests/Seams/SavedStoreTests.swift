import Millrace
import MillraceTesting
import Testing

/// Saving a store with what it has decided, and putting it back.
@Suite struct SavedStoreTests {
  struct Row: Identifiable, Equatable {
    let id: Int
    var asked: Int?
    var answer = ""
  }

  struct State: Equatable {
    var query: String?
    var answer = ""
    var detail: Row?
    var rows: KeyedArray<Row> = []
  }

  enum Action: Sendable, Equatable {
    case query(String?)
    case answered(String)
    case detail(Row?)
    case detailAnswered(String)
    case add(Int)
    case remove(Int)
    case row(Int, String)
  }

  final class Holder: RunHolder {
    func begun(_ run: HeldRun) {}
    func stopped(_ run: HeldRun) { run.finish() }
  }

  let store: Store<State, Action>

  init() {
    var options = StoreOptions()
    options.seams.holder = Holder()
    store = Store(initialState: State(), on: .immediate, options: options) { state, action in
      switch action {
      case .query(let query): state.query = query
      case .answered(let answer): (state.query, state.answer) = (nil, answer)
      case .detail(let row): state.detail = row
      case .detailAnswered(let answer):
        state.detail?.asked = nil
        state.detail?.answer = answer
      case .add(let id): state.rows.append(Row(id: id, asked: id))
      case .remove(let id): state.rows.remove(id: id)
      case .row(let id, let answer):
        state.rows[id: id]?.asked = nil
        state.rows[id: id]?.answer = answer
      }
    }
    store.connect(when: \.query) { _, _ in }
    store.connectIfPresent(\.detail, action: Action.detailAnswered) { detail in
      detail.connect(when: \.asked) { _, _ in }
    }
    store.connectEach(\.rows, action: Action.row) { _, row in
      row.connect(when: \.asked) { _, _ in }
    }
  }

  private var site: CallSite { CallSite(fileID: #fileID, line: #line) }

  /// What runs: the ids of the part, and the request.
  private func running(_ saved: SavedStore<State>) -> Set<[String]> {
    Set(saved.held.joined().filter(\.isLive).map { $0.parts.map { "\($0)" } + ["\($0.request)"] })
  }

  private func run(_ request: String, _ saved: SavedStore<State>) -> HeldRun? {
    saved.held.joined().first { "\($0.request)" == request }
  }

  @Test func aStateComesBackWithItsRuns() throws {
    store.dispatch(.query("a"))
    let asked = store.save()
    #expect(running(asked) == [["a"]])
    store.dispatch(.query("b"))
    #expect(running(store.save()) == [["b"]])
    store.restore(asked)
    #expect(store.state.query == "a")
    #expect(running(store.save()) == [["a"]])
    #expect(run("a", asked)?.send(Action.answered("A"), at: site) == .reduced)
    run("a", asked)?.finish()
    #expect(store.state.answer == "A")
    #expect(running(store.save()).isEmpty)
    // From the same moment, another way.
    store.restore(asked)
    #expect(run("a", asked)?.send(Action.answered("B"), at: site) == .reduced)
    #expect(store.state.answer == "B")
  }

  @Test func lifetimesComeBack() throws {
    store.dispatch(.detail(Row(id: 7, asked: 1)))
    store.dispatch(.add(1))
    store.dispatch(.add(2))
    let full = store.save()
    #expect(running(full) == [["7", "1"], ["1", "1"], ["2", "2"]])
    for _ in 0..<3 {
      store.dispatch(.detail(nil))
      store.dispatch(.remove(1))
      store.dispatch(.add(3))
      #expect(running(store.save()) == [["2", "2"], ["3", "3"]])
      let other = store.save()
      store.restore(full)
      #expect(running(store.save()) == [["7", "1"], ["1", "1"], ["2", "2"]])
      #expect(store.state.rows.map(\.id) == [1, 2])
      #expect(run("2", full)?.send("two", at: site) == .reduced)
      #expect(store.state.rows[id: 2]?.answer == "two")
      store.restore(other)
      #expect(running(store.save()) == [["2", "2"], ["3", "3"]])
      store.restore(full)
    }
    store.dispatch(.detail(Row(id: 8, asked: 4)))
    #expect(running(store.save()) == [["8", "4"], ["1", "1"], ["2", "2"]])
  }

  @Test func aPartThatEndedAndComesBackAsksAnew() {
    store.dispatch(.detail(Row(id: 7, asked: 1)))
    let asked = store.save()
    store.dispatch(.detail(nil))
    store.restore(asked)
    store.dispatch(.detail(Row(id: 7, asked: 2)))
    #expect(running(store.save()) == [["7", "2"]])
  }

  @Test func whatHasFinishedComesBack() throws {
    store.dispatch(.query("a"))
    let asked = store.save()
    run("a", asked)?.finish()
    let finished = store.save()
    #expect(finished.finished.joined().map { "\($0)" } == ["a"])
    store.dispatch(.query(nil))
    store.dispatch(.query("a"))
    #expect(running(store.save()) == [["a"]])
    store.restore(finished)
    #expect(running(store.save()).isEmpty)
    store.dispatch(.query("a"))
    #expect(running(store.save()).isEmpty)
  }
}
