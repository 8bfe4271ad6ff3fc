import Dispatch
import Foundation
import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

/// What a run does before it first waits is done by the thread that has decided it. One at a time, since some block a
/// thread, as a body must not but may.
@Suite("Starts of runs", .serialized, .timeLimit(.minutes(30)))
struct RunStartTests {
  private typealias Counter = Store<Int, Int>

  /// A store of a number to which actions are added, which does not mind going round in circles.
  private func counter(_ reduced: @escaping @Sendable () -> Void = {}) -> Counter {
    Counter(initialState: 0, options: StoreOptions(loopDetection: .off)) { count, step in
      reduced()
      count += step
    }
  }

  @Test("R1: what a run sends at once, also on the main actor, is not reduced on the main thread")
  func neverOnMain() async {
    let wasMain = Recorder<Bool>()
    let store = counter { wasMain.append(Thread.isMainThread) }
    store.connect(when: { $0 < 4 ? $0 : nil }, run: { _, send in await send(1) })
    store.connect(when: { (4..<8).contains($0) ? $0 : nil }, run: { @MainActor _, send in await send(1) })
    await store.settled()
    #expect(store.state == 8)
    #expect(wasMain.values == Array(repeating: false, count: 8))
  }

  @Test("E1: a chain of runs goes on to its end, however long")
  func chain() async {
    let overlap = Overlap()
    let store = counter {
      overlap.enter()
      overlap.leave()
    }
    store.connect(when: { $0 < 3000 ? $0 : nil }, run: { _, send in await send(1) })
    await store.settled()
    #expect(store.state == 3000)
    #expect(overlap.most == 1)
    #expect(store.activity.reduced == 3000)
  }

  @Test("what others send meanwhile is reduced as well, by whoever comes to it") func meanwhile() async {
    let store = counter()
    store.connect(when: { $0 % 1000 < 500 ? $0 : nil }, run: { _, send in await send(1) })
    await onThreads(3) { _ in
      for _ in 0..<200 { store.dispatch(1000) }
    }
    await store.settled()
    #expect(store.state == 600_500)
  }

  @Test("E2: a body that keeps its thread keeps no run of another identity from beginning", .blocksThreads)
  func keptThread() async {
    let store = counter()
    let begun = Signal()
    store.connect(
      when: { $0 < 2 ? $0 : nil },
      run: { number, send in
        if number == 1 { begun.give() }
        await send(1)
        if number == 0 { begun.wait() }
      })
    await store.settled()
    #expect(store.state == 2)
  }

  @Test("a body in its opening hears that it is stopped", .blocksThreads) func cancelled() async {
    let store = BoardStore(on: .serial)
    let began = Signal()
    let stopped = Signal()
    store.connect(
      when: { $0.jobs.first },
      run: { _, _ in
        await withTaskCancellationHandler {
          began.give()
          stopped.wait()
        } onCancel: {
          stopped.give()
        }
      })
    store.dispatch(.ask("a"))
    await onThread {
      began.wait()
      store.dispatch(.drop("a"))
    }
    await store.settled()
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }

  /// A run of an effect in a part of the state, which has returned.
  private func run(in store: Counter) async throws -> Run {
    let runs = Recorder<Run>()
    let always = { @Sendable (_: borrowing Int) in true }
    store.connect(while: always) { part in
      part.connect(
        when: { _ in Optional(0) },
        run: { _, _ in if case .run(let run)? = CurrentWork.mark { runs.append(run) } })
    }
    let run = try await runs.values(atLeast: 1)[0]
    await store.settled()
    return run
  }

  private func another(_ run: Run) -> Run {
    Run(
      generation: run.generation + 100, asked: TypedRequest(1, id: 1), connected: run.connected,
      cause: RunCause(),
      engine: run.engine)
  }

  @Test("a run that is stopped before its task is on record is cancelled as soon as it is")
  func stoppedFirst() async throws {
    let store = counter()
    let (gate, isCancelled) = (Gate(), Recorder<Bool>())
    let run = another(try await run(in: store))
    run.engine.locked { run.phase = .stopping }
    run.taskBegan(
      Task {
        do {
          try await gate.wait()
          isCancelled.append(false)
        } catch { isCancelled.append(true) }
      })
    #expect(try await inTime { try await isCancelled.values(atLeast: 1) } == [true])
  }

  @Test("L1: a run does not begin once its part has ended, though that is not torn down yet")
  func endedPart() async throws {
    let store = counter()
    let first = try await run(in: store)
    let (run, engine) = (another(first), store.engine)
    engine.locked { engine.updates.withLock { _ in first.connected.account.isEnded = true } }
    #expect(run.isLive)
    #expect(!engine.locked { run.enter() })
  }

  @Test(
    "R1: what a body sends from a task begun on the spot is not reduced on top of the body",
    .blocksThreads)
  func onTheSpot() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let reduced = Signal()
    let threads = Recorder<pthread_t>()
    let store = counter {
      threads.append(pthread_self())
      reduced.give()
    }
    store.connect(
      when: { $0 < 1 ? $0 : nil },
      run: { _, send in
        let here = pthread_self()
        let sending = Task.immediate { await send(1) }
        reduced.wait()  // only another thread can reduce it now
        #expect(threads.values.count == 1)
        #expect(threads.values.allSatisfy { pthread_equal($0, here) == 0 })
        #expect(await sending.value == .reduced)
      })
    await store.settled()
    #expect(store.state == 1)
  }

  @Test("E3: what a run sent before it returned is admitted, though it did not wait for it") func sentBefore()
    async
  {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    for _ in 0..<200 {
      let store = counter()
      let sendings = Recorder<Task<Delivery, Never>>()
      store.connect(
        when: { _ in Optional(0) },
        run: { _, send in
          await Task.yield()  // away from the thread that would reduce it at once
          sendings.append(Task.immediate { await send(1) })
        })
      await store.settled()
      #expect(store.state == 1)
    }
  }

  @Test("runs that send without end, and chains of runs without end, leave threads to others")
  func endless() async throws {
    try await withOthers { store in
      store.connect(
        when: { _ in Optional(0) },
        run: { _, send in
          while await send(1) == .reduced {}
        })
    }
    try await withOthers { store in
      store.connect(when: { Optional($0) }, run: { _, send in await send(1) })
    }
  }

  /// More stores than there are threads, each kept busy by what `connect` connects, and tasks that want to get by.
  private func withOthers(_ connect: (Counter) -> Void) async throws {
    let stores = (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map { _ in counter() }
    for store in stores { connect(store) }
    for store in stores {
      try await eventually { store.state >= 1000 }
    }
    for number in 0..<100 { #expect(await Task.detached { number }.value == number) }
    for store in stores { #expect(await store.shutdown(graceful: .zero).isClean) }
  }
}
