/// Counts the outcomes of a closed circuit, and decides whether there are too many failures. Pure.
struct CircuitTally: Hashable {
  private enum Rule: Hashable {
    case inARow(Int)
    case rate(Double, window: Int, minimum: Int)
    case recentRate(Double, minimum: Int)
  }

  private let rule: Rule
  /// The failures that count, without those of `recent`.
  private var counted = 0
  /// Whether each of the last runs failed. Once the window is full, the oldest is at `next`.
  private var window: [Bool] = []
  private var next = 0
  private var recent = RecentOutcomes(span: .zero)

  /// Opens after this number of consecutive failures.
  init(failuresInARow threshold: Int) { rule = .inARow(max(1, threshold)) }

  /// Opens at this share of failures among the last runs, once there are enough runs.
  init(failureRate rate: Double, ofLast window: Int, minimum: Int) {
    let window = min(max(1, window), 1_000_000)
    rule = .rate(rate, window: window, minimum: min(max(1, minimum), window))
  }

  /// Opens at this share of failures among the runs within a time span, once there are enough runs.
  init(failureRate rate: Double, within span: Duration, minimum: Int) {
    rule = .recentRate(rate, minimum: max(1, minimum))
    recent = RecentOutcomes(span: span)
  }

  /// A run has ended.
  mutating func ended(failed: Bool, at now: Duration = .zero) {
    switch rule {
    case .inARow:
      counted = failed ? counted + 1 : 0
    case .rate(_, let size, _):
      counted += failed ? 1 : 0
      if window.count < size {
        window.append(failed)
      } else {
        counted -= window[next] ? 1 : 0
        window[next] = failed
        next = (next + 1) % size
      }
    case .recentRate: recent.ended(failed: failed, at: now)
    }
  }

  /// Drops outcomes that no longer count.
  mutating func forget(at now: Duration) { recent.forget(at: now) }

  /// Time passes; the present always counts as zero.
  mutating func elapse(_ time: Duration) { recent.elapse(time) }

  static func == (left: Self, right: Self) -> Bool {
    left.rule == right.rule && left.counted == right.counted && left.oldestFirst == right.oldestFirst
      && left.recent == right.recent
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(counted)
    hasher.combine(oldestFirst)
    hasher.combine(recent)
  }

  private var oldestFirst: [Bool] { Array(window[next...] + window[..<next]) }

  private var failures: Int { counted + recent.failures }

  /// Whether no failure counts.
  var isClean: Bool { failures == 0 }

  private func isTooBad(of count: Int, _ rate: Double, _ minimum: Int) -> Bool {
    // Divides instead of multiplying: a literal such as 0.07 equals the quotient 7 / 100, but 100 * 0.07 is more than
    // 7.
    failures > 0 && count >= minimum && Double(failures) / Double(count) >= rate
  }

  var isTooBad: Bool {
    switch rule {
    case .inARow(let threshold): failures >= threshold
    case .rate(let rate, _, let minimum): isTooBad(of: window.count, rate, minimum)
    case .recentRate(let rate, let minimum): isTooBad(of: recent.count, rate, minimum)
    }
  }
}
