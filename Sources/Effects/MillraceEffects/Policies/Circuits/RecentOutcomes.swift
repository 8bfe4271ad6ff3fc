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
  private(set) var count = 0
  private(set) var failures = 0

  init(span: Duration) { self.span = min(max(.zero, span), TimerLimits.longestWait) }

  /// A run has ended.
  mutating func ended(failed: Bool, at now: Duration) {
    forget(at: now)
    if let last = steps.last, now - last.start < span / 64 {} else { steps.append(Step(start: now)) }
    let failure = failed ? 1 : 0
    steps[steps.count - 1].count += 1
    steps[steps.count - 1].failures += failure
    (count, failures) = (count + 1, failures + failure)
  }

  /// Drops the runs that ended too long ago.
  mutating func forget(at now: Duration) {
    let gone = steps.prefix { now - $0.start >= span }
    for step in gone { (count, failures) = (count - step.count, failures - step.failures) }
    steps.removeFirst(gone.count)
  }

  /// Time passes; the present always counts as zero.
  mutating func elapse(_ time: Duration) {
    for index in steps.indices { steps[index].start -= time }
    forget(at: .zero)
  }
}
