import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct ThrottledEffectTests {
  private func throttled<Base: Scripted>(_ base: Base) -> ThrottledEffect<Base, TestClock> {
    base.throttled(for: .seconds(3), clock: base.clock)
  }

  private func throttledFirst<Base: Scripted>(_ base: Base) -> ThrottledEffect<Base, TestClock> {
    base.throttled(for: .seconds(3), clock: base.clock, latest: false, dropped: { _ in "x" })
  }

  @Test("timelines of throttled requests of which the latest is served")
  func latest() {
    // The first at once, then the newest when the interval is over.
    ScriptedWork(takes: 1).plays("abc-----d---", begins: "a--c----d", sends: "-a--c----d") { throttled($0) }

    // The interval is counted from the beginning of a run, however long it takes.
    ScriptedWork(takes: 5).plays("a[ab]-------", begins: "a--b", sends: "-----a--b") { throttled($0) }

    // What has left by then never begins, and takes nobody's turn.
    ScriptedWork().plays("ab.-c----", begins: "a---c") { throttled($0) }

    // Those side by side take turns in order of arrival; one who leaves makes way.
    ScriptedWork().plays("a[ab][abc]-------", begins: "a--b--c") { throttled($0) }
    ScriptedWork().plays("a[ab][ac]-------", begins: "a--c") { throttled($0) }

    // An interval of zero throttles nothing.
    ScriptedWork().plays("abc", begins: "abc") { $0.throttled(for: .zero, clock: $0.clock) }
  }

  @Test("timelines of throttled requests of which the first is served")
  func first() {
    ScriptedWork().plays("abc-----d---", begins: "a-------d", sends: "axx-----d") { throttledFirst($0) }

    // What is dropped begins no interval.
    ScriptedWork().plays("ab-c-d-e", begins: "a--c---e", sends: "ax-c-x-e") { throttledFirst($0) }

    // Unless told otherwise, nothing is told of it.
    ScriptedWork().plays("ab-c", begins: "a--c") {
      $0.throttled(for: .seconds(3), clock: $0.clock, latest: false)
    }
  }

  @Test("timelines of throttled values that are handed over")
  func handedOver() {
    ScriptedFeed().plays("abc-----d---", begins: "a--c----d") { throttled($0) }
    ScriptedFeed().plays("abc-----de--z", begins: "a-------d---z", sends: "axx-----dx--z") {
      throttledFirst($0)
    }
    // A value that waits when the run is stopped is not handed over.
    ScriptedFeed().plays("ab.----", begins: "a") { throttled($0) }
  }

  @Test("a run that is stopped before it has begun takes no turn", arguments: [true, false])
  func stopped(latest: Bool) async throws {
    let work = ScriptedWork()
    let effect = work.throttled(for: .seconds(3), clock: work.clock, latest: latest)
    let sent = Recorder<Character>()
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      try await effect.run("a", send: .recording(into: sent))
    }
    cancelled.cancel()
    try await cancelled.value
    try await effect.run("b", send: .recording(into: sent))
    #expect(work.begun.values == ["b"])
    #expect(sent.values == ["b"])
  }
}
