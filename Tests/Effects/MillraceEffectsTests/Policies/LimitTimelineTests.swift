import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct LimitTimelineTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests that wait for a slot, in each order")
  func orders() {
    Timeline(
      asks: "a[ab][abc]----------",
      begins: "a--b--c------",
      sends: "---a--b--c---"
    ).check(ScriptedWork(takes: 3), serving: true) { $0.limited(to: 1) }
    Timeline(
      asks: "a[ab][abc]----------",
      begins: "a--b--c------",
      sends: "---a--b--c---"
    ).check(ScriptedWork(takes: 3), serving: true) { $0.inSequence() }
    Timeline(
      asks: "a[ab][abc]----------",
      begins: "a--c--b------",
      sends: "---a--c--b---"
    ).check(ScriptedWork(takes: 3), serving: true) { $0.limited(to: 1, order: .lastInFirstOut) }

    // The priority first, then the order.
    Timeline(
      asks: "a[ab][abc][abcd]-------------",
      begins: "a---c---b---d----",
      sends: "----a---c---b---d"
    ).check(ScriptedWork(takes: 4), serving: true) { $0.limited(to: 1, priority: { $0 == "c" ? 1 : 0 }) }
    Timeline(
      asks: "a[ab][abc][abcd]-------------",
      begins: "a---b---d---c----",
      sends: "----a---b---d---c"
    ).check(ScriptedWork(takes: 4), serving: true) {
      $0.limited(to: 1, order: .lastInFirstOut, priority: { $0 == "b" ? 1 : 0 })
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests that wait for a slot and leave, fail or are more than one at once")
  func leaving() {
    // One that leaves while it waits never begins.
    Timeline(
      asks: "a[ab][abc][ac]----------",
      begins: "a---c--------",
      sends: "----a---c----"
    ).check(ScriptedWork(takes: 4), serving: true) { $0.limited(to: 1) }

    // One that is stopped or fails makes way.
    Timeline(
      asks: "a[ab]b------",
      begins: "a-b------",
      sends: "------b--"
    ).check(ScriptedWork(takes: 4)) { $0.limited(to: 1) }
    Timeline(
      asks: "a[ab]-------",
      begins: "a---b----",
      sends: "----A---b"
    ).check(ScriptedWork(failing: [1], takes: 4)) { $0.limited(to: 1) }

    Timeline(
      asks: "a[ab][abc][abcd]---------",
      begins: "ab--cd------",
      sends: "----ab--cd--"
    ).check(ScriptedWork(takes: 4), serving: true) { $0.limited(to: 2) }

    // Handed over values come to one that has waited: the newest first.
    let limit = ConcurrencyLimit(1)
    Timeline(
      asks: "abz--",
      begins: "abz--",
      sends: "abz--"
    ).check(ScriptedFeed()) { $0.limited(by: limit) }
    #expect(limit.waiting == 0)
  }
}
