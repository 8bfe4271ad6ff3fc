import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct LimitedEffectTests {
  private let sent = Recorder<WorkEffect.Action>()

  @Test("timelines of requests that wait for a slot, in each order")
  func orders() {
    let (asks, inOrder) = ("a[ab][abc]----------", "a--b--c")
    ScriptedWork(takes: 3).plays(asks, begins: inOrder, sends: "---a--b--c", serving: true) {
      $0.limited(to: 1)
    }
    // A limit below one counts as one.
    ScriptedWork(takes: 3).plays(asks, begins: inOrder, sends: "---a--b--c", serving: true) {
      $0.limited(to: -5)
    }
    ScriptedWork(takes: 3).plays(asks, begins: inOrder, sends: "---a--b--c", serving: true) {
      $0.inSequence()
    }
    ScriptedWork(takes: 3).plays(asks, begins: "a--c--b", sends: "---a--c--b", serving: true) {
      $0.limited(to: 1, order: .lastInFirstOut)
    }
    // The priority first, then the order.
    let four = "a[ab][abc][abcd]-------------"
    ScriptedWork(takes: 4).plays(four, begins: "a---c---b---d", sends: "----a---c---b---d", serving: true) {
      $0.limited(to: 1, priority: { $0 == "c" ? 1 : 0 })
    }
    ScriptedWork(takes: 4).plays(four, begins: "a---b---d---c", sends: "----a---b---d---c", serving: true) {
      $0.limited(to: 1, order: .lastInFirstOut, priority: { $0 == "b" ? 1 : 0 })
    }
    ScriptedWork(takes: 4).plays(four, begins: "ab--cd", sends: "----ab--cd", serving: true) {
      $0.limited(to: 2)
    }
  }

  @Test("timelines of requests that wait for a slot and leave, or fail")
  func leaving() {
    // One that leaves while it waits never begins.
    ScriptedWork(takes: 4).plays("a[ab][abc][ac]-----", begins: "a---c", sends: "----a---c", serving: true) {
      $0.limited(to: 1)
    }
    // One that is stopped or fails makes way.
    ScriptedWork(takes: 4).plays("a[ab]b------", begins: "a-b", sends: "------b") { $0.limited(to: 1) }
    ScriptedWork(failing: [1], takes: 4).plays("a[ab]-------", begins: "a---b", sends: "----A---b") {
      $0.limited(to: 1)
    }
    // Handed over values come to one that has waited: the newest first.
    let limit = ConcurrencyLimit(1)
    ScriptedFeed().plays("abz--", begins: "abz") { $0.limited(by: limit) }
    #expect(limit.waiting == 0)
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
}
