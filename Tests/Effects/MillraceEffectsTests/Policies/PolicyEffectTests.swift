import Millrace
import MillraceEffects
import MillraceTesting
import Testing

/// What policies have in common when they are called by hand.
@Suite struct PolicyEffectTests {
  enum Wrapping: CaseIterable, Sendable {
    case delayed, debounced, throttled, throttledFirst, limited, timeout, retried, guarded, mapped
    case debouncedLeading, rateLimited

    func serve(_ letters: RequestUpdates<Character>, _ feed: ScriptedFeed, _ send: Send<Character>)
      async throws
    {
      let clock = ImmediateClock()
      switch self {
      case .delayed: try await feed.delayed(by: .zero, clock: clock).run(letters, send: send)
      case .debounced: try await feed.debounced(for: .zero, clock: clock).run(letters, send: send)
      case .throttled: try await feed.throttled(for: .zero, clock: clock).run(letters, send: send)
      case .throttledFirst:
        try await feed.throttled(for: .zero, clock: clock, latest: false).run(letters, send: send)
      case .limited: try await feed.limited(to: 1).run(letters, send: send)
      case .timeout:
        try await feed.timingOut(after: .seconds(1), clock: TestClock(), action: { $0 }).run(
          letters, send: send)
      case .retried: try await feed.retried(times: 1, clock: clock) { $1 }.run(letters, send: send)
      case .guarded:
        let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .zero)
        try await feed.guarded(by: breaker, action: { $1 }).run(letters, send: send)
      case .debouncedLeading:
        try await feed.debounced(for: .seconds(1), leading: true, atMost: .zero, clock: clock)
          .run(letters, send: send)
      case .rateLimited:
        let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(1), clock: clock)
        try await feed.rateLimited(by: bucket).run(letters, send: send)
      case .mapped: try await feed.mapped { $0 }.run(letters, send: send)
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a run whose values have come to an end by hand comes to its end", arguments: Wrapping.allCases)
  func finished(policy: Wrapping) throws {
    let (executor, sent, ended) = (ManualExecutor(), Recorder<Character>(), Recorder<Bool>())
    let (feed, letters) = (ScriptedFeed(), RequestUpdates<Character>("a"))
    let run = Task.detached(executorPreference: executor) {
      try await policy.serve(letters, feed, .recording(into: sent))
      ended.append(true)
    }
    executor.drain()
    #expect(sent.values == ["a"])
    letters.offer("b")
    letters.finish()
    executor.drain()
    #expect(sent.values == ["a", "b"])
    #expect(ended.count == 1)
    run.cancel()
    executor.drain()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("values that come to an end between two attempts end the next one, after the newest of them")
  func finishedBetween() {
    let (executor, sent, ended) = (ManualExecutor(), Recorder<Character>(), Recorder<Bool>())
    let (feed, letters) = (ScriptedFeed(failing: [1]), RequestUpdates<Character>("a"))
    let effect = feed.retried(times: 1, by: Backoff(first: .seconds(1), jitter: 0), clock: feed.clock) {
      _, _ in "2"
    }
    let run = Task.detached(executorPreference: executor) {
      try await effect.run(letters, send: .recording(into: sent))
      ended.append(true)
    }
    executor.drain()
    letters.offer("b")
    letters.finish()
    executor.drain()
    feed.clock.advance(by: .seconds(1))
    executor.drain()
    #expect(sent.values == ["2", "b"])
    #expect(ended.count == 1)
    run.cancel()
    executor.drain()
  }

  @Test("the one request of a run by hand is served, whether the effect within has values handed over or not")
  func single() async throws {
    let (work, feed, sent) = (ScriptedWork(), ScriptedFeed(), Recorder<Character>())
    try await work.delayed(by: .zero).run("a", send: .recording(into: sent))
    try await feed.delayed(by: .zero).run("z", send: .recording(into: sent))
    #expect(sent.values == ["a", "z"])
  }

  @Test(
    "an error that is thrown because the run was stopped is no failure: nothing is told, begun or asked after it"
  )
  func stopped() async throws {
    let (gate, sent, backoff) = (Gate(), Recorder<Int>(), Backoff(first: .zero, jitter: 0))
    let waiting = WaitingEffect(gate: gate)
    func stop(_ effect: some EffectComponent<Bool, Int>) async throws {
      let asked = effect.requests(in: true)
      let run = Task { for request in asked { try? await effect.run(request, send: .recording(into: sent)) } }
      try await gate.waiters(atLeast: 1)
      run.cancel()
      await run.value
      #expect(sent.values == [], "\(type(of: effect))")
    }
    try await stop(waiting.retried(times: 2, by: backoff) { _, number in number })
    try await stop(waiting.supervised(restarts: 9, within: .seconds(10), by: backoff) { _, number in number })
    try await stop(waiting.polled(every: .seconds(3), clock: TestClock()))
    try await stop(waiting.fallingBack(to: Effect { (_: Int, send: Send<Int>) in await send(7) }))
  }
}
