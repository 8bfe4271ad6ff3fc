import Millrace

/// The settings and counters that the values of one feature share. Used by one thread.
package final class FeatureContext {
  /// Makes the value of a connected effect that has no requests yet. The path leads to it from the feature.
  let effect: (any WiredEffect, _ path: [Int]) -> any FeatureEffect
  /// Called with the connections that a `connect` function or a closure has made.
  private let wired: (Wiring) -> Void
  /// Whether a part that begins again gets its former number. For comparing moments, not runs.
  let recallsParts: Bool
  /// Calls the closure with the store looking at the state of the last decision; `nil` if that state is not kept.
  let lookBack: ((() -> Void) -> Void)?
  private(set) var partCount = 0

  package init(
    recallsParts: Bool = false, lookBack: ((() -> Void) -> Void)? = nil, wired: @escaping (Wiring) -> Void,
    effect: @escaping (any WiredEffect, _ path: [Int]) -> any FeatureEffect = { place(of: $0, path: $1) }
  ) {
    (self.recallsParts, self.lookBack, self.wired, self.effect) = (recallsParts, lookBack, wired, effect)
  }

  func nextPart(_ wiring: Wiring) -> Int {
    wired(wiring)
    defer { partCount += 1 }
    return partCount
  }
}

/// An effect that reports each decision.
package func place(of wired: some WiredEffect, path: [Int]) -> any FeatureEffect {
  EffectPlace(wired, path: path)
}
