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
  let explored: ExploredStore<State, Action>

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
    explored = ExploredStore(store)
  }

  private var site: CallSite { CallSite(fileID: #fileID, line: #line) }

  private typealias Saved = (state: State, moment: SavedMoment)

  private func save() -> Saved { (store.state, explored.save()) }

  private func restore(_ saved: Saved) { explored.restore(saved.state, saved.moment) }

  private func held(_ saved: Saved) -> [HeldRun] { saved.moment.effects.flatMap { $0.runs.map(\.run) } }

  /// What runs: the ids of the part, and the request.
  private func running(_ saved: Saved) -> Set<[String]> {
    Set(held(saved).filter(\.isLive).map { $0.parts.map { "\($0)" } + ["\($0.request)"] })
  }

  private func run(_ request: String, _ saved: Saved) -> HeldRun? {
    held(saved).first { "\($0.request)" == request }
  }

  @Test func aStateComesBackWithItsRuns() throws {
    store.dispatch(.query("a"))
    let asked = save()
    #expect(running(asked) == [["a"]])
    store.dispatch(.query("b"))
    #expect(running(save()) == [["b"]])
    restore(asked)
    #expect(store.state.query == "a")
    #expect(running(save()) == [["a"]])
    #expect(run("a", asked)?.send(Action.answered("A"), at: site) == .reduced)
    run("a", asked)?.finish()
    #expect(store.state.answer == "A")
    #expect(running(save()).isEmpty)
    // From the same moment, another way.
    restore(asked)
    #expect(run("a", asked)?.send(Action.answered("B"), at: site) == .reduced)
    #expect(store.state.answer == "B")
  }

  @Test func lifetimesComeBack() throws {
    store.dispatch(.detail(Row(id: 7, asked: 1)))
    store.dispatch(.add(1))
    store.dispatch(.add(2))
    let full = save()
    #expect(running(full) == [["7", "1"], ["1", "1"], ["2", "2"]])
    for _ in 0..<3 {
      store.dispatch(.detail(nil))
      store.dispatch(.remove(1))
      store.dispatch(.add(3))
      #expect(running(save()) == [["2", "2"], ["3", "3"]])
      let other = save()
      restore(full)
      #expect(running(save()) == [["7", "1"], ["1", "1"], ["2", "2"]])
      #expect(store.state.rows.map(\.id) == [1, 2])
      #expect(run("2", full)?.send("two", at: site) == .reduced)
      #expect(store.state.rows[id: 2]?.answer == "two")
      restore(other)
      #expect(running(save()) == [["2", "2"], ["3", "3"]])
      restore(full)
    }
    store.dispatch(.detail(Row(id: 8, asked: 4)))
    #expect(running(save()) == [["8", "4"], ["1", "1"], ["2", "2"]])
  }

  @Test func aPartThatEndedAndComesBackAsksAnew() {
    store.dispatch(.detail(Row(id: 7, asked: 1)))
    let asked = save()
    store.dispatch(.detail(nil))
    restore(asked)
    store.dispatch(.detail(Row(id: 7, asked: 2)))
    #expect(running(save()) == [["7", "2"]])
  }

  @Test func whatHasFinishedComesBack() throws {
    store.dispatch(.query("a"))
    let asked = save()
    run("a", asked)?.finish()
    let finished = save()
    #expect(running(finished).isEmpty)
    store.dispatch(.query(nil))
    store.dispatch(.query("a"))
    #expect(running(save()) == [["a"]])
    restore(finished)
    #expect(running(save()).isEmpty)
    store.dispatch(.query("a"))
    #expect(running(save()).isEmpty)
  }
}
