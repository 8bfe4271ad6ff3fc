import Millrace
import MillraceTesting
import TestSupport
import Testing

/// D1, D2 and C5.
@Suite("Determinism", .timeLimit(.minutes(10)))
struct DeterminismPromises {
  @Test(
    "D1: the recorded actions, reduced again, give the same states and requests",
    arguments: Queue.allCases)
  func replay(queue: Queue) async {
    let asked = Recorder<Set<Job>>()
    struct Recording: EffectComponent {
      let asked: Recorder<Set<Job>>
      func id(of job: Job) -> String { job.name }
      func requests(in jobs: Set<Job>) -> Set<Job> {
        asked.append(jobs)
        return jobs
      }
      func run(_ job: Job, send: Send<Board.Action>) async {
        await send(.report("\(job)"))
        await send(.add(job.value))
        if job.value > 0 { await send(.ask(Job(job.name, job.value - 1))) }
      }
    }
    let store = BoardStore(on: queue)
    let actions = store.actions()
    store.connect(Recording(asked: asked), to: \.jobs)
    await onThreads(3) { thread in
      for number in 0..<20 {
        store.dispatch(.ask(Job("job \(thread)", number)))
        if number.isMultiple(of: 4) { store.dispatch(.drop("job \((thread + 1) % 3)")) }
      }
    }
    await store.settled()
    let final = store.state
    await store.shutdown()

    var replayed = Board()
    var sets: [Set<Job>] = [[]]
    var recorded = 0
    for await (action, state) in actions {
      Board.reduce(&replayed, action)
      #expect(replayed == state)
      if replayed.jobs != sets.last { sets.append(replayed.jobs) }
      recorded += 1
    }
    #expect(replayed == final)
    #expect(recorded == Int(store.activity.reduced))
    #expect(asked.values == sets)
  }

  @Test("D2: with the immediate queue and a test clock, a test has one outcome and waits for no time")
  func oneOutcome() async throws {
    struct Search: Equatable, Sendable {
      var query = ""
      var results: [String] = []
    }
    enum Action: Sendable {
      case typed(String)
      case found(String)
    }
    for _ in 0..<20 {
      let clock = TestClock()
      let store = Store(initialState: Search(), on: .immediate) { (search: inout Search, action: Action) in
        switch action {
        case .typed(let query): search.query = query
        case .found(let result): search.results.append(result)
        }
      }
      store.connect(
        when: { $0.query.isEmpty ? nil : $0.query },
        run: { query, send in
          do { try await clock.sleep(for: .milliseconds(300)) } catch { return }
          await send(.found(query))
        })
      for query in ["s", "sw", "swift"] {
        store.dispatch(.typed(query))
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(query == "swift" ? 300 : 100))
      }
      await store.settled()
      #expect(store.state == Search(query: "swift", results: ["swift"]))
    }
  }

  @Test("D2: settled is a fixpoint: nothing is queued, nothing runs, all is shown", arguments: Queue.allCases)
  func fixpoint(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.connect(when: { $0.count < 50 ? $0.count : nil }, run: { _, send in await send(.add(1)) })
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    await store.settled()
    #expect(store.state.count == 50)
    #expect(store.activity.waiting == 0)
    #expect(component.finished.values.last == 50)
  }
}
