import Millrace
import MillraceTesting
import TestSupport
import Testing

private enum Library {
  struct Page: Hashable, Sendable {
    var number = 1
    var order = Order.newest(first: true)
    var title: String? = "a"
    enum Order: Hashable, Sendable { case newest(first: Bool) }
  }

  struct Tagged<Tag: Hashable & Sendable>: Hashable, Sendable { var tag: Tag }

  enum Need: Hashable, Sendable {
    case list
    case page(Int)
  }

  struct Marked<Mark: Sendable>: EffectComponent {
    func requests(in board: Board) -> Set<Int> { [] }
    func run(_ request: Int, send: Send<Board.Action>) async {}
  }

  struct Effect: EffectComponent {
    func requests(in board: Board) -> Set<Tagged<Page>> { [Tagged(tag: Page())] }
    func run(_ request: Tagged<Page>, send: Send<Board.Action>) async {}
  }

  struct Around<Base: EffectComponent, C: Clock>: EffectComponent where Base.Failure == Never {
    let base: Base
    let clock: C
    func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }
    func run(_ request: Base.Request, send: Send<Base.Action>) async {}
  }

  /// A clock of the program's, generic as those of other packages.
  struct SlowClock<Tag: Sendable>: Clock {
    private let clock = ContinuousClock()
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @MainActor final class Label: ViewComponent { var props = 0 }
}

extension Board {
  fileprivate var isIdle: Bool { jobs.isEmpty }
}

/// What is connected is listed under names that a person would write: no modules, no `Optional<String>`.
@Suite("Names in activity lists, events and diagnostics", .timeLimit(.minutes(10)))
struct ReadableNameTests {
  private let board = BoardStore(on: .immediate)

  private func list<State, Action>(_ store: Store<State, Action>) -> [String] {
    store.activity.entries.map { entry in
      (["\(entry.connection.name) on \(entry.slice)"] + entry.work.map(\.description).sorted()).joined(
        separator: ": ")
    }
  }

  @Test("effects are named by their types without clocks, requests by what they hold")
  func effects() async {
    board.connect(Library.Effect())
    board.connect(Library.Around(base: Library.Effect(), clock: ContinuousClock()), to: \.self)
    board.connect(Library.Around(base: Library.Effect(), clock: TestClock()), to: \.self)
    let slow = Library.SlowClock<Library.Page>()
    board.connect(Library.Around(base: Library.Effect(), clock: slow), to: \.self)
    board.connect(Library.Marked<(Library.Page, number: Int)?>())
    board.connect(JobEffect { _, _ in }, named: "jobs")
    board.connect(JobEffect { _, _ in })
    board.connect(when: { String?.some("\($0.count)") }, run: { _, _ in })
    board.connect(when: { _ in Set([Library.Need.list, .page(1)]) }, run: { _, _ in })
    board.connect(when: { _ in Library.Page?.some(Library.Page()) }, named: "pages", run: { _, _ in })
    board.connect(when: { _ in [String: Int?]?.some(["a": 1]) }, run: { _, _ in })
    await board.settled()
    let page = #"Page(number: 1, order: .newest(first: true), title: "a")"#
    #expect(
      list(board) == [
        #"Library.Effect on \.self: finished Tagged(tag: \#(page))"#,
        #"Library.Around<Library.Effect> on \Board.self: finished Tagged(tag: \#(page))"#,
        #"Library.Around<Library.Effect> on \Board.self: finished Tagged(tag: \#(page))"#,
        #"Library.Around<Library.Effect> on \Board.self: finished Tagged(tag: \#(page))"#,
        #"Library.Marked<(Library.Page, number: Int)?> on \.self"#,
        #"jobs on \.self"#,
        #"JobEffect on \.self"#,
        #"effect on computed String?: finished "0""#,
        #"effect on computed Set<Library.Need>: finished .list: finished .page(1)"#,
        #"pages on computed Library.Page?: finished \#(page)"#,
        #"effect on computed [String: Int?]?: finished ["a": 1]"#,
      ])
  }

  @Test("components, views and sequences are named by their types, slices as they were given")
  @MainActor func displays() async {
    let label = Library.Label()
    board.connect(label, to: \.count)
    board.connect(RecordingComponent<[String]>(), props: { $0.log })
    board.connect(RecordingComponent<Bool>(), to: \.isIdle)
    board.scope(computed: { $0.count + 1 }).connect(RecordingComponent<Int>())
    board.scope(\.log).connect(when: { $0.first }, run: { _, _ in })
    let (values, actions) = (board.values(of: \.count), board.actions())
    await board.settled()
    #expect(
      list(board) == [
        #"Library.Label on \Board.count"#,
        #"RecordingComponent on computed [String]"#,
        #"RecordingComponent on computed Bool"#,
        #"RecordingComponent on computed Int"#,
        #"effect on \Board.log computed String?"#,
        #"values on \Board.count"#,
        #"actions on -"#,
      ])
    withExtendedLifetime((values, actions)) {}
  }

  @Test("parts are named by what they are")
  func parts() async {
    let store = CornerStore(
      Corner(isOpen: true, part: Piece(id: 1), rows: Corner.rows(1..<2)), on: .immediate)
    store.connectPart { $0.connect(RecordingComponent<Int>(), to: \.value) }
    store.connectRows { _, row in row.connect(PieceEffect { _, _ in }) }
    store.connect(while: \.isOpen) { $0.connect(when: { $0.log.first }, run: { _, _ in }) }
    await store.settled()
    #expect(
      list(store) == [
        #"ifPresent on \Corner.part"#,
        #"RecordingComponent on \Corner.part? \Piece.value"#,
        #"each on \Corner.rows"#,
        #"PieceEffect on \Corner.rows[1]: finished "work""#,
        #"ifPresent on computed Corner?"#,
        #"effect on computed Corner?? computed String?"#,
      ])
  }

  @Test("parts and effects that are given names are listed by these")
  func named() async {
    let store = CornerStore(
      Corner(isOpen: true, part: Piece(id: 1), rows: Corner.rows(1..<2)), on: .immediate)
    let same: @Sendable (Change) -> Change = { $0 }
    store.connectIfPresent(\.part, action: same, named: "page") { piece in
      piece.connect(PieceEffect { _, _ in }, named: "loading")
    }
    store.connectEach(\.rows, action: unchanged, named: "lines") { (_: Int, _: PieceStore) in }
    store.connect(while: \.isOpen, named: "opening") { _ in }
    store.connect(when: { $0.log.first }, named: "logging", run: { _, _ in })
    await store.settled()
    #expect(
      store.activity.entries.map(\.connection.name) == ["page", "loading", "lines", "opening", "logging"])
  }

  @Test("events and diagnostics use the same names")
  func diagnostics() async throws {
    let (reports, events) = (Recorder<StoreDiagnostic>(), EventRecorder())
    let store = BoardStore(
      on: .immediate,
      options: StoreOptions(
        diagnostics: .mistakes { reports.append($0) },
        loopDetection: LoopDetection(maxRuns: 3, minimumPause: .seconds(1_000_000))))
    store.observe(events)
    store.connect(
      when: { $0.count < 6 ? Library.Tagged(tag: $0.count) : nil }, run: { _, send in await send(.add(1)) })
    await store.settled()
    let message = try #require(try await inTime { try await reports.values(atLeast: 1) }.first?.message)
    #expect(message.hasPrefix("effect keeps answering its own result: "))
    #expect(message.hasSuffix(" .add(1) → computed Library.Tagged? → effect(Tagged(tag: 5))"))
    let started = events.events.values.compactMap {
      if case .runStarted(let run, _) = $0.kind { "\(run)" } else { nil }
    }
    #expect(started.first == "effect #1 (Tagged(tag: 0))")
  }
}
