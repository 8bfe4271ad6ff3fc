import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

/// Fails for a while, each time with a delay.
private struct BusyEffect: EffectComponent {
  struct Busy: Error, RetryAfterProviding {
    var retryDelay: Duration?
  }

  /// What each run, in order, fails with; those after them succeed.
  var delays: [Duration?]
  let clock = TestClock()
  let begun = Recorder<Duration>()

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Int>) async throws(Busy) {
    begun.append(clock.now.sinceStart)
    if begun.count <= delays.count { throw Busy(retryDelay: delays[begun.count - 1]) }
    await send(number)
  }

  func action(for failure: Busy, of number: Int) -> Int { -number }
}

@Suite struct RetryDelayTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private func begins<Effect: EffectComponent>(_ busy: BusyEffect, _ effect: Effect) -> [Duration]
  where Effect.State == Set<Int> {
    let executor = ManualExecutor()
    let stage = Stage(effect, on: executor) { _, _ in }
    stage.ask(for: [1])
    while let due = busy.clock.sleepers.first?.deadline, busy.begun.count < 6 {
      busy.clock.advance(to: due)
      executor.drain()
    }
    stage.ask(for: [])
    return busy.begun.values
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a retry waits as long as the failure says, if that is longer than its backoff")
  func retried() {
    let busy = BusyEffect(delays: [.seconds(10), nil, .seconds(1)])
    let reported = Recorder<Duration>()
    let effect = busy.retried(times: 5, by: Backoff(first: .seconds(2), jitter: 0), clock: busy.clock) {
      retry, number in
      reported.append(retry.delay)
      return number
    }
    #expect(begins(busy, effect) == [.zero, .seconds(10), .seconds(14), .seconds(22)])
    #expect(reported.values == [.seconds(10), .seconds(4), .seconds(8)])
  }

  @Test("requests that fail together are not retried at one time, and the same seed gives the same delays")
  func together() async {
    func delays(_ failures: [Duration?], seed: UInt64) async -> [Duration] {
      let reported = Recorder<Duration>()
      let effect = BusyEffect(delays: failures).retried(
        times: 1, by: Backoff(first: .seconds(2), seed: seed), clock: ImmediateClock()
      ) { retry, number in
        reported.append(retry.delay)
        return number
      }
      for number in 1...4 { try? await effect.run(number, send: .recording(into: Recorder())) }
      return reported.values
    }
    // Also where a failure makes them wait equally long.
    for (failure, least, most) in [(nil, 1, 2), (.seconds(10), 10, 11)] as [(Duration?, Int, Int)] {
      let failures = Array(repeating: failure, count: 8)
      let first = await delays(failures, seed: 1)
      #expect(Set(first).count == 4)
      #expect(first.allSatisfy { $0 >= .seconds(least) && $0 <= .seconds(most) })
      #expect(await delays(failures, seed: 1) == first)
      #expect(await delays(failures, seed: 2) != first)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("polling waits as long as a failure says, with and without a backoff")
  func polled() {
    for backoff in [nil, Backoff(first: .seconds(3), jitter: 0)] {
      let busy = BusyEffect(delays: [.seconds(10), .seconds(1)])
      let effect = busy.polled(every: .seconds(2), backingOff: backoff, clock: busy.clock)
      let wait: Duration = backoff == nil ? .seconds(2) : .seconds(6)
      #expect(begins(busy, effect).prefix(3) == [.zero, .seconds(10), .seconds(10) + wait])
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("an attempt in the state waits as long as its request says, if that is longer than its backoff")
  func backingOff() {
    let busy = BusyEffect(delays: [])
    let effect = busy.backingOff(
      by: Backoff(first: .seconds(2), jitter: 0), attempt: { $0 == 1 ? 2 : 1 },
      atLeast: { $0 == 1 ? .seconds(7) : nil }, clock: busy.clock)
    #expect(begins(busy, effect) == [.seconds(7)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(
    "attempts and polls of different requests that fail together are spread unless the backoff has a seed")
  func spread() {
    func deadlines(_ policies: (ScriptedWork) -> some EffectComponent<Set<Character>, Character>) -> Int {
      let work = ScriptedWork(failing: Set(1...8))
      let stage = Stage(policies(work), on: ManualExecutor()) { _, _ in }
      stage.ask(for: Set("abcdefgh"))
      defer { stage.ask(for: []) }
      return Set(work.clock.sleepers.map(\.deadline)).count
    }
    for (seed, counts) in [(nil, 5...8), (1, 1...1)] as [(UInt64?, ClosedRange<Int>)] {
      let backoff = Backoff(first: .seconds(8), seed: seed)
      #expect(
        counts.contains(deadlines { $0.polled(every: .seconds(1), backingOff: backoff, clock: $0.clock) }))
      #expect(counts.contains(deadlines { $0.backingOff(by: backoff, attempt: { _ in 2 }, clock: $0.clock) }))
    }
  }
}
