import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Very many replacements of one request, of which most peers let stale results through.
@Suite("Stress: replacements")
struct ReplacementStress {
  enum Body: CaseIterable, Sendable {
    /// Answers at once.
    case eager
    /// Answers again and again until it is told that its answers do not count.
    case insistent
    /// Waits until it is stopped, and answers then.
    case stopped
    /// Answers from a task of its own, which outlives the body.
    case stray
  }

  @Test(
    "no stale result is reduced in very many replacements, and the sums add up", arguments: Body.allCases,
    [true, false])
  func replacements(body: Body, isImmediate: Bool) async {
    let count = TestSize.count(1_000, full: 20_000)
    let store = LedgerStore(isImmediate: isImmediate)
    let fates = Fates()
    let began = Recorder<Int>()
    let alive = Lock((now: 0, most: 0))
    let strays = Lock([Task<Void, Never>]())
    store.connect(
      JobEffect { job, send in
        alive.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        began.append(job.value)
        switch body {
        case .eager:
          fates.add(await send(.answered(job)))
        case .insistent:
          while true {
            let fate = await send(.answered(job))
            fates.add(fate)
            if fate != .reduced || job.value == count { break }
            await Task.yield()  // an immediate store answers at once: others need a thread too
          }
        case .stopped:
          if job.value != count { try? await Gate().wait() }
          fates.add(await send(.answered(job)))
        case .stray:
          let task = Task { fates.add(await send(.answered(job))) }
          strays.withLock { $0.append(task) }
          if job.value == count { await task.value }
        }
        alive.withLock { $0.now -= 1 }
      }, to: \.jobs)
    for value in 1...count {
      store.dispatch(.ask(Job(name: 0, value: value)))
      if value.isMultiple(of: 3) { await Task.yield() }
    }
    await store.settled()
    for task in strays.withLock({ $0 }) { await task.value }
    let state = store.state
    let activity = store.activity
    #expect(state.stale == 0)
    #expect(state.answers == fates.count(.reduced))
    #expect(activity.fenced == UInt64(fates.count(.fenced)))
    #expect(activity.reduced == UInt64(count + fates.count(.reduced)))
    #expect(fates.count(.refused) == 0)
    #expect(fates.total >= began.count)
    #expect(alive.withLock(\.most) == 1)
    #expect(began.values.last == count)
    #expect(zip(began.values, began.values.dropFirst()).allSatisfy(<))
  }
}
