/// What a closed circuit has counted: whether the failures are too many. Pure.
struct CircuitTally: Hashable {
  private enum Rule: Hashable {
    case inARow(Int)
    case rate(Double, window: Int, minimum: Int)
  }

  private let rule: Rule
  private var failures = 0
  /// Of the last runs, whether each failed; the oldest is at `next` once there are as many as the window has.
  private var window: [Bool] = []
  private var next = 0

  /// So many failures, one after the other, are too many.
  init(failuresInARow threshold: Int) { rule = .inARow(max(1, threshold)) }

  /// Such a share of the last runs is too much, once there are enough of them.
  init(failureRate rate: Double, ofLast window: Int, minimum: Int) {
    let window = min(max(1, window), 1_000_000)
    rule = .rate(rate, window: window, minimum: min(max(1, minimum), window))
  }

  /// A run has ended.
  mutating func ended(failed: Bool) {
    switch rule {
    case .inARow:
      failures = failed ? failures + 1 : 0
    case .rate(_, let size, _):
      failures += failed ? 1 : 0
      if window.count < size {
        window.append(failed)
      } else {
        failures -= window[next] ? 1 : 0
        window[next] = failed
        next = (next + 1) % size
      }
    }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.rule == right.rule && left.failures == right.failures && left.oldestFirst == right.oldestFirst
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(failures)
    hasher.combine(oldestFirst)
  }

  private var oldestFirst: [Bool] { Array(window[next...] + window[..<next]) }

  var isTooBad: Bool {
    switch rule {
    case .inARow(let threshold): failures >= threshold
    case .rate(let rate, _, let minimum):
      failures > 0 && window.count >= minimum && Double(failures) >= rate * Double(window.count)
    }
  }
}
