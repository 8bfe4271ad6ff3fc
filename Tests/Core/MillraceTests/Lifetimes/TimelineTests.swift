import Millrace
import MillraceTesting
import TestSupport
import Testing

private struct Work: Equatable, Sendable {
  var text = ""
  var wanted: Set<Int> = []
}

private enum WorkAction: Equatable, Sendable {
  case typed(Int)
  case wanted(Int)
  case unwanted(Int)
}

@Sendable private func reduceWork(_ work: inout Work, _ action: WorkAction) {
  switch action {
  case .typed(let digit): work.text += "\(digit)"
  case .wanted(let number): work.wanted.insert(number)
  case .unwanted(let number): work.wanted.remove(number)
  }
}

/// A run goes on until it is stopped.
private struct WorkEffect: EffectComponent {
  func requests(in work: Work) -> Set<Int> { work.wanted }
  func run(_ number: Int, send: Send<WorkAction>) async { try? await Gate().wait() }
}

private struct OtherEffect: EffectComponent {
  func requests(in other: Int) -> Set<String> { other > 0 ? ["other"] : [] }
  func run(_ other: String, send: Send<DeskAction>) async { try? await Gate().wait() }
}

/// The timeline is a slice beside others.
private struct Desk: Equatable, Sendable {
  var work: Timeline<Work, WorkAction>
  var other = 0
}

private enum DeskAction: Equatable, Sendable {
  case work(TimelineAction<WorkAction>)
  case other

  static func change(_ action: WorkAction) -> DeskAction { .work(.change(action)) }
}

private let reduceTimeline = timeline(reduceWork)

@Sendable private func reduceDesk(_ desk: inout Desk, _ action: DeskAction) {
  switch action {
  case .work(let action): reduceTimeline(&desk.work, action)
  case .other: desk.other += 1
  }
}

/// What a timeline should be: each step knows its action and the step before it.
private struct Model {
  private var parents: [Int: (step: Int, action: WorkAction)] = [:]
  /// The steps from the start to the newest.
  private var line = [0]
  private var seen: Int?
  private var held: [WorkAction] = []

  var isLive: Bool { seen == nil }
  var number: Int { line[seen ?? line.count - 1] }
  /// The fold of the actions up to the step in view, and up to the newest.
  var shown: Work { work(at: number) }
  var present: Work { work(at: line[line.count - 1]) }

  private func path(to step: Int) -> [Int] {
    var path = [step]
    while let (before, _) = parents[path[path.count - 1]] { path.append(before) }
    return path.reversed()
  }

  private func work(at step: Int) -> Work {
    path(to: step).reduce(into: Work()) { work, step in
      if let action = parents[step]?.action { reduceWork(&work, action) }
    }
  }

  mutating func reduce(_ action: TimelineAction<WorkAction>, branches: [(id: Int, last: Int)]) {
    switch action {
    case .change(let action): if isLive { step(action) } else { held.append(action) }
    case .back: if number != 0 { seen = (seen ?? line.count - 1) - 1 }
    case .forward: if let seen { if seen + 2 < line.count { self.seen = seen + 1 } else { resume() } }
    case .to(let step): if let place = line.firstIndex(of: step) { seen = place }
    case .live: resume()
    case .branch:
      guard let seen else { return }
      line = Array(line[...seen])
      resume()
    case .take(let id):
      guard let branch = branches.first(where: { $0.id == id }) else { return }
      line = path(to: branch.last)
      resume()
    default: break
    }
  }

  private mutating func step(_ action: WorkAction) {
    let number = parents.count + 1
    parents[number] = (line[line.count - 1], action)
    line.append(number)
  }

  private mutating func resume() {
    seen = nil
    let arrived = held
    held = []
    for action in arrived { step(action) }
  }
}

@Suite("Effects of a timeline", .timeLimit(.minutes(10))) struct TimelineTests {
  private func makeStore() -> Store<Desk, DeskAction> {
    let store = Store(
      initialState: Desk(work: Timeline(Work())), on: .immediate, reduce: reduceDesk)
    store.connectIfPresent(\.work.live, action: DeskAction.change) { $0.connect(WorkEffect()) }
    return store
  }

  /// The requests whose runs are wanted.
  private func running(_ store: Store<Desk, DeskAction>) -> Set<Int> {
    let work = store.activity.entries.flatMap(\.work)
    return Set(
      work.filter { $0.phase == .starting || $0.phase == .running }.compactMap { Int($0.request) })
  }

  private func randomAction(
    _ random: inout SeededRandom, branches: [(id: Int, last: Int)]
  ) -> TimelineAction<WorkAction> {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: .change(.typed(.random(in: 0...9, using: &random)))
    case 4..<8: .change(.wanted(.random(in: 0...3, using: &random)))
    case 8..<10: .change(.unwanted(.random(in: 0...3, using: &random)))
    case 10..<13: .back
    case 13..<15: .forward
    case 15: .to(step: .random(in: 0...20, using: &random))
    case 16: .live
    case 17: .branch
    default: branches.randomElement(using: &random).map { .take(branch: $0.id) } ?? .back
    }
  }

  @Test(
    "a step in view is the fold up to it, nothing runs while one looks back, the return asks for the present"
  )
  func random() async {
    for seed in 0..<UInt64(TestSize.count(150, full: 2000)) {
      var random = SeededRandom(seed: seed)
      var model = Model()
      let store = makeStore()
      for _ in 0..<25 {
        let branches = store.state.work.branches.map { ($0.id, $0.steps[$0.steps.count - 1].number) }
        let action = randomAction(&random, branches: branches)
        model.reduce(action, branches: branches)
        store.dispatch(.work(action))
        let timeline = store.state.work
        let isRight =
          timeline.state == model.shown && timeline.present == model.present
          && timeline.number == model.number && timeline.isLive == model.isLive
          && running(store) == (model.isLive ? model.present.wanted : [])
        if !isRight {
          Issue.record("seed \(seed), after \(action): \(timeline)\n\(store.activity)\n\(model)")
          return
        }
      }
      await store.shutdown()
    }
  }

  @Test("components see the past like any state, and an effect beside the timeline goes on")
  func components() async throws {
    let store = makeStore()
    store.connect(OtherEffect(), to: \.other)
    for action in [.typed(1), .typed(2), .wanted(3)] as [WorkAction] {
      store.dispatch(.work(.change(action)))
    }
    store.dispatch(.other)
    let component = RecordingComponent<String>()
    store.connect(component, to: \.work.state.text)
    #expect(try await component.received.values(atLeast: 1) == ["12"])
    store.dispatch(.work(.to(step: 1)))
    #expect(running(store).isEmpty)
    #expect(store.activity.busy.contains { $0.work.contains { $0.request == "\"other\"" } })
    #expect(try await component.received.values(atLeast: 2) == ["12", "1"])
    store.dispatch(.work(.live))
    #expect(running(store) == [3])
    #expect(try await component.received.values(atLeast: 3) == ["12", "1", "12"])
    await store.shutdown()
  }
}
