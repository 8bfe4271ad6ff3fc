import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct HandoverCompositionTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(
    "whatever policies are put around each other, the newest value handed over reaches the effect within, and no older one after it"
  )
  func newest() async {
    for seed in TestSize.seeds(80, full: 500) {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      let layers = Self.layers(using: &random)
      let (clock, taken, executor) = (TestClock(), Recorder<Int>(), ManualExecutor())
      let feed = ErasedEffect(RandomFeed(clock: clock, script: RunScript(seed: seed), taken: taken))
      var effect = feed
      for layer in layers.reversed() { effect = layer.around(effect, clock: clock, other: feed) }
      let stage = Stage(effect, on: executor) { _, _ in }
      func pass(_ time: Duration) {
        let end = clock.now + time
        while let due = clock.sleepers.first?.deadline, due <= end {
          clock.advance(to: due)
          executor.drain()
        }
        clock.advance(to: end)
      }
      for number in 1...8 {
        stage.ask(for: [number])
        pass(.microseconds(Int.random(in: 1...8_000_000, using: &random)))
      }
      pass(.seconds(100))
      #expect(taken.values.last == 8, "MILLRACE_SEED=\(seed): \(layers)")
      #expect(taken.values == taken.values.sorted(), "MILLRACE_SEED=\(seed): \(layers)")
      stage.ask(for: [])
      #expect(clock.sleepers == [] && stage.bodyCount == 0, "MILLRACE_SEED=\(seed): \(layers)")
    }
  }

  /// Policies that end no run before its time, within one that goes on after the few failures that there are.
  private static func layers(using random: inout SeededGenerator) -> [Layer] {
    var layers: [Layer] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      switch Layer.random(using: &random) {
      case .throttledFirst, .timeout, .failingTimeout, .guarded, .failingGuarded, .guardedByRate,
        .rateRefused, .ignoringWhileRunning, .guardedByTime, .guardedPerKey, .hedged:
        continue
      case let layer: layers.append(layer)
      }
    }
    return [.retried(4, Backoff(first: .milliseconds(10), jitter: 0))] + layers
  }
}
