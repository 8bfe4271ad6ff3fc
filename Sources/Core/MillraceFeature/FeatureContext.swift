import Millrace

/// What the values of one feature share. Used by one thread.
package final class FeatureContext {
  /// An effect in its place, of which nothing is asked for. The path leads to it from the feature.
  let effect: (any WiredEffect, _ path: [Int]) -> any FeatureEffect
  /// Called with what a `connect` function or a closure has connected.
  private let wired: (Wiring) -> Void
  /// Whether a part that is there again is numbered as before: where moments are compared, and not runs.
  let recallsParts: Bool
  /// Calls the closure while the state is looked at in which the last decision was made; `nil` where that is not kept.
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

/// An effect that tells each decision.
package func place(of wired: some WiredEffect, path: [Int]) -> any FeatureEffect {
  EffectPlace(wired, path: path)
}
