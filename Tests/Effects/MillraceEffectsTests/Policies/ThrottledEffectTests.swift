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

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of throttled requests of which the latest is served")
  func latest() {
    // The first at once, then the newest when the interval is over.
    Timeline(
      asks: "abc-----d---",
      begins: "a--c----d---",
      sends: "-a--c----d--"
    ).check(ScriptedWork(takes: 1)) { throttled($0) }

    // The interval is counted from the beginning of a run, however long it takes.
    Timeline(
      asks: "a[ab]-------",
      begins: "a--b-----",
      sends: "-----a--b"
    ).check(ScriptedWork(takes: 5)) { throttled($0) }

    // What has left by then never begins, and takes nobody's turn.
    Timeline(
      asks: "ab.-c----",
      begins: "a---c----",
      sends: "a---c----"
    ).check(ScriptedWork()) { throttled($0) }

    // Those side by side take turns in order of arrival; one who leaves makes way.
    Timeline(
      asks: "a[ab][abc]-------",
      begins: "a--b--c---",
      sends: "a--b--c---"
    ).check(ScriptedWork()) { throttled($0) }
    Timeline(
      asks: "a[ab][ac]-------",
      begins: "a--c------",
      sends: "a--c------"
    ).check(ScriptedWork()) { throttled($0) }

    // An interval of zero throttles nothing.
    Timeline(
      asks: "abc",
      begins: "abc",
      sends: "abc"
    ).check(ScriptedWork()) { $0.throttled(for: .zero, clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of throttled requests of which the first is served")
  func first() {
    Timeline(
      asks: "abc-----d---",
      begins: "a-------d---",
      sends: "axx-----d---"
    ).check(ScriptedWork()) { throttledFirst($0) }

    // What is dropped begins no interval.
    Timeline(
      asks: "ab-c-d-e",
      begins: "a--c---e",
      sends: "ax-c-x-e"
    ).check(ScriptedWork()) { throttledFirst($0) }

    // Unless told otherwise, nothing is told of it.
    Timeline(
      asks: "ab-c",
      begins: "a--c",
      sends: "a--c"
    ).check(ScriptedWork()) { $0.throttled(for: .seconds(3), clock: $0.clock, latest: false) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of throttled values that are handed over")
  func handedOver() {
    Timeline(
      asks: "abc-----d---",
      begins: "a--c----d---",
      sends: "a--c----d---"
    ).check(ScriptedFeed()) { throttled($0) }
    Timeline(
      asks: "abc-----de--z",
      begins: "a-------d---z",
      sends: "axx-----dx--z"
    ).check(ScriptedFeed()) { throttledFirst($0) }
    // A value that waits when the run is stopped is not handed over.
    Timeline(
      asks: "ab.----",
      begins: "a------",
      sends: "a------"
    ).check(ScriptedFeed()) { throttled($0) }
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
