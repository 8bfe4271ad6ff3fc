import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct LimitedEffectTests {
  private let work = WorkEffect()
  private let limit = ConcurrencyLimit(2)
  private let sent = Recorder<WorkEffect.Action>()

  private func start(_ number: Int) -> Task<Void, any Error> {
    Task { [work, limit, sent] in
      try await work.limited(by: limit).run(number, send: .recording(into: sent))
    }
  }

  /// Starts runs one after the other, so that their order of arrival is that of the numbers.
  private func startInOrder(_ numbers: ClosedRange<Int>) async throws -> [Task<Void, any Error>] {
    var tasks: [Task<Void, any Error>] = []
    for number in numbers {
      tasks.append(start(number))
      if number <= 2 {
        try await work.gate.waiters(atLeast: number)
      } else {
        try await eventually { limit.waiting >= number - 2 }
      }
    }
    return tasks
  }

  @Test("no more runs than allowed are in progress, and the others begin in order of arrival")
  func order() async throws {
    let tasks = try await startInOrder(1...6)
    #expect(work.begun.values == [1, 2])
    for number in 3...6 {
      work.gate.pass()
      #expect(try await work.begun.values(atLeast: number).last == number)
    }
    work.gate.open()
    for task in tasks { try await task.value }
    #expect(Set(sent.values) == Set((1...6).map { .done($0) }))
    #expect(limit.waiting == 0)
  }

  @Test("a run that is stopped while it waits never begins, and holds up nobody")
  func stoppedWaiting() async throws {
    let tasks = try await startInOrder(1...4)
    tasks[2].cancel()
    try await tasks[2].value
    work.gate.open()
    for task in tasks { try await task.value }
    #expect(Set(work.begun.values) == [1, 2, 4])
  }

  @Test("a run that is stopped and ignores it keeps its slot until its body has returned")
  func ignoringCancellation() async throws {
    let (work, limit) = (WorkEffect(isStubborn: true), ConcurrencyLimit(1))
    let start = { @Sendable [sent] (number: Int) async throws in
      try await work.limited(by: limit).run(number, send: .recording(into: sent))
    }
    let first = Task { try await start(1) }
    try await work.gate.waiters(atLeast: 1)
    first.cancel()
    let second = Task { try await start(2) }
    try await eventually { limit.waiting == 1 }
    #expect(work.begun.values == [1])
    work.gate.open()
    try await first.value
    try await second.value
    #expect(work.begun.values == [1, 2])
  }

  @Test("a run that fails gives its slot back, and its failure is kept")
  func failing() async throws {
    work.gate.open()
    for number in 1...5 {
      await #expect(throws: WorkEffect.Failed()) { try await start(-number).value }
    }
    try await start(1).value
    #expect(work.limited(by: limit).action(for: WorkEffect.Failed(), of: 7) == .failed(7))
  }

  @Test("a run stopped before it gets a free slot does not begin, and the slot stays free")
  func stoppedBefore() async throws {
    let limit = ConcurrencyLimit(1)
    let begun = Recorder<Int>()
    let stopped = Task {
      while !Task.isCancelled { await Task.yield() }
      return await limit.withSlot { begun.append(1) }
    }
    stopped.cancel()
    #expect(await stopped.value == nil)
    await limit.withSlot { begun.append(2) }
    #expect(begun.values == [2])
  }

  @Test("a limit below one counts as one", arguments: [0, -5])
  func nonsense(count: Int) async throws {
    work.gate.open()
    try await work.limited(to: count).run(1, send: .recording(into: sent))
    #expect(sent.values == [.done(1)])
  }

  @Test("in a store, requests that leave the state while they wait are never served")
  func inAStore() async throws {
    let store = Store<Set<Int>, Change>(initialState: [], on: .immediate) { state, change in
      switch change {
      case .want(let numbers): state = numbers
      case .work(.done(let number)): state.remove(number)
      case .work: break
      }
    }
    store.connect(work.limited(to: 1), to: \.self, action: Change.work)
    store.dispatch(.want(Set(1...20)))
    let first = try await work.begun.values(atLeast: 1)
    store.dispatch(.want(Set(first)))
    work.gate.open()
    await store.settled()
    #expect(work.begun.values == first)
    #expect(store.state.isEmpty)
  }

  private enum Change: Sendable {
    case want(Set<Int>)
    case work(WorkEffect.Action)
  }

  @Test("under a storm of runs and cancellations the limit is kept and every slot comes back")
  func storm() async throws {
    let limit = ConcurrencyLimit(3)
    let running = Recorder<Int>()
    let inside = Counter()
    await withTaskGroup { group in
      for number in 0..<300 {
        group.addTask {
          let task = Task {
            await limit.withSlot {
              running.append(await inside.entered())
              await Task.yield()
              await inside.left()
            }
          }
          if number.isMultiple(of: 3) { task.cancel() }
          _ = await task.value
        }
      }
    }
    #expect(running.values.allSatisfy { $0 <= 3 })
    #expect(running.count >= 200)
    #expect(limit.waiting == 0)
    await limit.withSlot { await limit.withSlot { await limit.withSlot { running.append(0) } } }
    #expect(running.values.last == 0)
  }
}

private actor Counter {
  private var count = 0
  func entered() -> Int {
    count += 1
    return count
  }
  func left() { count -= 1 }
}
