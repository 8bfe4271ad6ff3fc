import Millrace
import MillraceTesting
import TestSupport

/// The clock of a random feature, and the work within the policies of its effects.
final class FeatureWorld: Sendable {
  /// Where an effect is. Only rows are alive side by side.
  struct Place: Hashable {
    let effect: String
    let rows: [Int]
  }

  struct Served: Hashable {
    let place: Place
    let number: Int
  }

  let clock = TestClock()
  private let works = Lock<[Place: SwitchedWork]>([:])

  /// The work of an effect that is connected anew.
  func newWork(at place: Place) -> SwitchedWork {
    let work = SwitchedWork()
    works.withLock { $0[place] = work }
    return work
  }

  /// The requests that are being served.
  var served: Set<Served> {
    let works = works.withLock { $0 }
    return Set(works.flatMap { place, work in work.served.map { Served(place: place, number: $0) } })
  }

  func end(_ served: Served, fails: Bool) {
    works.withLock { $0[served.place] }?.end(served.number, fails: fails)
  }
}

extension Layer {
  /// A policy of an effect of a random feature.
  static func ofFeature(using random: inout SeededGenerator) -> Layer {
    while true {
      let layer = Layer.random(using: &random)
      switch layer {
      case .delayed, .debounced, .debouncedByRequest, .throttled, .timeout, .failingTimeout, .retried,
        .rateLimited:
        return layer
      // Whether a run leaves before those come that its last action has led to decides who comes last.
      case .limited(_, .firstInFirstOut): return layer
      case .polled(_, _, nil): return layer
      default: continue
      }
    }
  }
}
