/// Counts the runs within a time span, and the failures among them. Pure.
///
/// Runs that end within a 64th of the span are counted together, with the end of the first of them, so that memory is
/// bounded.
struct RecentOutcomes: Hashable {
  private struct Step: Hashable {
    var start: Duration
    var count = 0
    var failures = 0
  }

  private let span: Duration
  /// The counted groups of runs, oldest first.
  private var steps: [Step] = []

  var count: Int { steps.reduce(0) { $0 + $1.count } }
  var failures: Int { steps.reduce(0) { $0 + $1.failures } }

  init(span: Duration) { self.span = min(max(.zero, span), TimerLimits.longestWait) }

  /// A run has ended.
  mutating func ended(failed: Bool, at now: Duration) {
    forget(at: now)
    if let last = steps.last, now - last.start < span / 64 {} else { steps.append(Step(start: now)) }
    steps[steps.count - 1].count += 1
    if failed { steps[steps.count - 1].failures += 1 }
  }

  /// Drops the runs that ended too long ago.
  mutating func forget(at now: Duration) { steps.removeAll { now - $0.start >= span } }

  /// Time passes; the present always counts as zero.
  mutating func elapse(_ time: Duration) {
    for index in steps.indices { steps[index].start -= time }
    forget(at: .zero)
  }
}
