import Dispatch
import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// R1, R3, R4 and R5.
@Suite("Reducing", .timeLimit(.minutes(10)))
struct ReducingPromises {
  // MARK: R1

  @Test("R1: one reducer call at a time; what one thread sends stays in order", arguments: Queue.allCases)
  func oneAtATime(queue: Queue) async {
    let overlap = Overlap()
    let store = Store(initialState: [Int](), on: queue.queue) { (log: inout [Int], number: Int) in
      overlap.enter()
      log.append(number)
      overlap.leave()
    }
    await onThreads(4) { thread in
      for number in 0..<250 { store.dispatch(thread * 1000 + number) }
    }
    await store.settled()
    let log = store.state
    #expect(overlap.most == 1)
    #expect(log.count == 1000)
    for thread in 0..<4 {
      #expect(log.filter { $0 / 1000 == thread } == (0..<250).map { thread * 1000 + $0 })
    }
  }

  @Test("R1: actions are reduced in the order in which they were accepted")
  func acceptedOrder() async throws {
    let (store, hold) = BoardStore.held()
    try await store.stays(at: hold)
    for number in 0..<20 {
      // Each from a thread of its own, one after the other.
      await onThread { _ = store.dispatch(.report("\(number)")) }
    }
    for number in 20...21 { store.dispatch(.report("\(number)")) }
    await store.settled(lettingGo: hold)
    #expect(store.state.log == (0..<22).map { "\($0)" })
  }

  @Test("R1: what one task dispatches and sends stays in its order", arguments: Queue.allCases)
  func taskOrder(queue: Queue) async {
    let store = BoardStore(on: queue)
    for number in 0..<100 {
      if number.isMultiple(of: 3) {
        await store.send(.report("\(number)"))
      } else {
        store.dispatch(.report("\(number)"))
      }
    }
    await store.settled()
    #expect(store.state.log == (0..<100).map { "\($0)" })
  }

  @Test("R1: dispatch and send never reduce on the main thread") @MainActor
  func neverOnMain() async {
    let wasMain = Recorder<Bool>()
    let store = Store(initialState: 0) { (count: inout Int, step: Int) in
      wasMain.append(Thread.isMainThread)
      count += step
    }
    for _ in 0..<50 {
      store.dispatch(1)
      await store.send(1)
    }
    #expect(wasMain.values == Array(repeating: false, count: 100))
  }

  @Test("R1: dispatch reduces on the caller's stack only where immediate", arguments: Queue.allCases)
  func callersStack(queue: Queue) async {
    let isCaller = Recorder<Bool>()
    let store = Store(initialState: 0, on: queue.queue) { (count: inout Int, step: Int) in
      isCaller.append(Thread.current.threadDictionary["caller"] != nil)
      count += step
    }
    await onThread {
      Thread.current.threadDictionary["caller"] = true
      for _ in 0..<50 { store.dispatch(1) }
    }
    await store.settled()
    #expect(isCaller.values == Array(repeating: queue == .immediate, count: 50))
  }

  // MARK: R3

  @Test("R3: dispatch does not wait for a reducer, nor where it is refused, also while observed")
  func reducerIsHeld() async throws {
    let (store, hold) = BoardStore.held()
    let observer = EventRecorder(of: store)
    try await store.stays(at: hold)
    #expect(store.dispatch(.add(1)))
    #expect(store.scope(\.self).dispatch(.add(1)))
    store.closeMailbox()
    #expect(!store.dispatch(.add(1)))
    await store.settled(lettingGo: hold)
    #expect(store.state.count == 2)
    #expect(observer.lines.filter { $0.hasPrefix("refused") } == ["refused add(1)"])
  }

  @Test("R3: dispatch in an update, a body, an observer and a deinit is reduced", arguments: Queue.allCases)
  func insideCallbacks(queue: Queue) async {
    let store = BoardStore(on: queue)
    let report = { @Sendable [weak store] (line: String) in _ = store?.dispatch(.report(line)) }
    store.connect(ClosureComponent<Int> { if $0 == 1 { report("update") } }, to: \.count)
    store.connect(
      JobEffect { _, _ in
        report("body")
        _ = OnRelease { report("deinit") }
      })
    store.onAction { action, _ in if action == .add(1) { report("observer") } }
    store.dispatch(.ask("job"))
    await store.settled(after: .add(1))
    #expect(store.state.log.sorted() == ["body", "deinit", "observer", "update"])
  }

  @Test("R3: dispatch in the deinit of something in the state is reduced", arguments: Queue.allCases)
  func deinitInState(queue: Queue) async {
    let silent = StoreOptions(diagnostics: StoreDiagnostics { _ in })
    let store = Store<Carrier, Carrier>(initialState: Carrier(0), on: queue.queue, options: silent) {
      $0 = $1
    }
    store.dispatch(Carrier(1) { [weak store] in store?.dispatch(Carrier(3)) })
    store.dispatch(Carrier(2))
    // What has been reduced is released after its turn: a store may have settled before.
    #expect(await store.first { $0.number == 3 } != nil)
  }

  @Test(
    "R3: dispatch inside a reducer or requests(in:) is accepted, never lost, and reported where it was called",
    arguments: Queue.allCases)
  func insideTurn(queue: Queue) async throws {
    let reports = Recorder<StoreDiagnostic>()
    let options = StoreOptions(diagnostics: .mistakes { reports.append($0) })
    let handle = Recorder<@Sendable (Board.Action) -> Bool>()
    let reduce: Reducer<Board, Board.Action> = { board, action in
      Board.reduce(&board, action)
      if action == .add(1) { #expect(handle.values[0](.report("from the reducer"))) }
    }
    let store = Store(initialState: Board(), on: queue.queue, options: options, reduce: reduce)
    handle.append { [weak store] in store?.dispatch($0, fileID: "Tests/Here.swift", line: 7) ?? false }
    store.connect(
      RecordingComponent<Int>(),
      props: { board in
        if board.count == 2, board.log.count == 2 { #expect(handle.values[0](.report("from a selector"))) }
        return board.count
      })
    await store.settled(after: .add(1))
    #expect(store.state.log == ["from the reducer"])
    await store.settled(after: .add(1))
    #expect(store.state.log == ["from the reducer", "from the reducer", "from a selector"])
    #if DEBUG
    // A report is made after its turn: a store may have settled before.
    try await reports.values(atLeast: store.state.log.count)
    #endif
    #expect(reports.values.allSatisfy { $0.kind == .dispatchInsideTurn })
    #expect(reports.values.allSatisfy { $0.site == CallSite(fileID: "Tests/Here.swift", line: 7) })
    #if DEBUG
    #expect(reports.count == store.state.log.count)
    #else
    #expect(reports.count == 0)
    #endif
  }

  #if DEBUG
  @Test("R3: dispatch inside requests(in:) as the effect is connected is reported, too")
  func insideConnection() {
    struct AskingEffect: EffectComponent {
      let ask: @Sendable () -> Void
      func requests(in log: [String]) -> Set<Int> {
        if log.isEmpty { ask() }
        return []
      }
      func run(_ request: Int, send: Send<Board.Action>) async {}
    }
    let reports = Recorder<StoreDiagnostic.Kind>()
    let options = StoreOptions(diagnostics: .mistakes { reports.append($0.kind) })
    let store = BoardStore(on: .immediate, options: options)
    store.connect(AskingEffect { [weak store] in store?.dispatch(.report("asked")) }, to: \.log)
    #expect(store.state.log == ["asked"])
    #expect(reports.values == [.dispatchInsideTurn])
  }
  #endif

  // MARK: R4

  @Test(
    "R4: every accepted action is reduced exactly once or counted as fenced; the rest is refused, and the caller can tell",
    arguments: Queue.allCases)
  func accounting(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let observer = EventRecorder(of: store)
    let fromRuns = Recorder<Delivery>()
    store.connect(
      NamedJobEffect { job, send in
        for _ in 0..<3 { fromRuns.append(await send(.report("\(job)"))) }
      })
    let accepted = Recorder<Bool>()
    await onThreads(4) { thread in
      for number in 0..<100 {
        accepted.append(store.dispatch(.ask(Job("job \(thread % 2)", thread * 1000 + number))))
      }
    }
    await store.shutdown()
    for _ in 0..<10 { accepted.append(store.dispatch(.add(1))) }
    #expect(accepted.values.filter { $0 }.count == 400)
    #expect(store.state.count == 0)
    let sent = UInt64(accepted.count + fromRuns.count)
    let activity = store.activity
    #expect(activity.reduced + activity.fenced + activity.refused == sent)
    #expect(activity.reduced == UInt64(400 + fromRuns.values.filter { $0 == .reduced }.count))
    #expect(activity.fenced == UInt64(fromRuns.values.filter { $0 == .fenced }.count))
    #expect(store.state.log.count == fromRuns.values.filter { $0 == .reduced }.count)
    // An observer has seen each, but for what was refused after it ended with the store.
    let lines = observer.lines
    #expect(lines.filter { $0.contains("will reduce") }.count == Int(activity.reduced))
    #expect(lines.filter { $0.hasPrefix("fenced") }.count == Int(activity.fenced))
  }

  @Test("R4: after shutdown nothing is accepted, by whichever way it is sent", arguments: Queue.allCases)
  func closed(queue: Queue) async {
    let store = BoardStore(on: queue)
    let scope = store.scope(\.self)
    await store.shutdown()
    #expect(!store.dispatch(.add(1)))
    #expect(await store.send(.add(1)) == .refused)
    store.dispatchAndWait(.add(1))
    #expect(!scope.dispatch(.add(1)))
    #expect(await scope.send(.add(1)) == .refused)
    await store.settled()
    #expect(store.state == Board())
    #expect(store.activity.refused == 5)
  }

  // MARK: R5

  @Test("R5: whoever sees a state finds its runs decided")
  func atomicTurn() async {
    let store = BoardStore(on: .serial)
    store.connect(JobEffect { _, _ in })
    await store.settled()
    await withTaskGroup { group in
      group.addTask {
        for number in 0..<100 { await store.send(.ask(Job("job \(number)"))) }
      }
      group.addTask {
        var seen = 0
        while seen < 100 {
          let jobs = store.state.jobs
          // Jobs are only added here, so what was asked for then is in the table now: starting, running or done.
          let requests = Set(store.activity.entries[0].work.map(\.request))
          #expect(jobs.allSatisfy { requests.contains(String(reflecting: $0)) })
          seen = jobs.count
          await Task.yield()
        }
      }
    }
  }

  @Test("R5: no state is seen while its runs are being decided")
  func notSeenMeanwhile() async {
    let decided = Recorder<Int>()
    let store = Store(initialState: 0) { (count: inout Int, step: Int) in count += step }
    let request: @Sendable (Int) -> Int? = { count in
      for _ in 0..<50 { sched_yield() }  // gives a reader the time to see too much
      decided.append(count)
      return nil
    }
    store.connect(when: request) { _, _ in }
    await withTaskGroup { group in
      group.addTask { for _ in 0..<50 { await store.send(1) } }
      group.addTask {
        var count = 0
        while count < 50 {
          count = store.state
          let last = decided.values.last ?? 0
          #expect(last >= count)
          await Task.yield()
        }
      }
    }
  }
}
