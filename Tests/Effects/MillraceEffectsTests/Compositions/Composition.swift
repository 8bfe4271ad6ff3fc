import Millrace
import MillraceTesting

/// A random composition of policies on a stage, and what is asked of it when.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Composition {
  let clock = TestClock()
  let marks = Recorder<TimedMark>()
  let work: RandomWork
  private let executor = ManualExecutor()
  private let stage: Stage<ErasedEffect>

  /// - Parameter layers: The outermost first.
  init(layers: [Layer], script: RunScript) {
    self.init(script: script) { work in
      var effect = ErasedEffect(work)
      for layer in layers.reversed() {
        effect = layer.around(effect, clock: work.clock, other: ErasedEffect(work))
      }
      return effect
    }
  }

  init(script: RunScript, _ policies: (RandomWork) -> ErasedEffect) {
    work = RandomWork(clock: clock, script: script, marks: marks)
    let effect = policies(work)
    stage = Stage(effect, on: executor) { [clock, marks] _, mark in
      marks.append(TimedMark(time: clock.now.sinceStart, mark: mark))
    }
  }

  /// Lets time pass until `time`, then asks for `requests`. Calls `look` before that, and whenever something may have
  /// happened.
  func ask(for requests: Set<Int>, at time: Duration, _ look: () -> Void = {}) {
    let end = TestInstant(sinceStart: time)
    while let due = clock.sleepers.first?.deadline, due <= end {
      clock.advance(to: due)
      executor.drain()
      look()
    }
    clock.advance(to: end)
    stage.ask(for: requests)
  }

  /// What is left of it; nothing, once nothing is asked for.
  var remains: [String] {
    clock.sleepers.map { "sleeps \($0)" } + (stage.bodyCount == 0 ? [] : ["\(stage.bodyCount) bodies"])
      + work.underWay.map { "\($0) is under way" }
  }
}
