/// Decides when to report the progress of a transfer: at most ``HTTPProgress/mostReports`` times, however large it is.
///
/// With a known total, it reports each completed hundredth. Without one, it reports at 64 KiB and each time that the
/// number of bytes has grown by half. The largest countable number gives about 80 reports.
struct ProgressMeter {
  private static let firstStep = 64 << 10

  private let total: Int?
  private var completed = 0
  private var next: Int
  private var reports = 0

  init(total: Int? = nil) {
    self.total = total
    next = total.map { Self.step(of: $0) } ?? Self.firstStep
  }

  /// Counts transferred bytes. Returns the progress if it must be reported.
  mutating func transferred(_ count: Int) -> HTTPProgress? {
    completed += count
    guard completed >= next, reports < HTTPProgress.mostReports else { return nil }
    reports += 1
    if let total {
      let step = Self.step(of: total)
      next = total - completed > step ? (completed / step + 1) * step : max(total, completed)
      if completed >= total { next = .max }
    } else {
      let (sum, isTooLarge) = completed.addingReportingOverflow(max(completed / 2, Self.firstStep))
      next = isTooLarge ? .max : sum
    }
    return HTTPProgress(completed: completed, total: total)
  }

  /// The transfer has reached `place`, which is lower than before if bytes are sent again. Returns the progress if it
  /// must be reported.
  mutating func reached(_ place: Int) -> HTTPProgress? { transferred(place - completed) }

  /// A hundredth, rounded up, so that there are at most a hundred.
  private static func step(of total: Int) -> Int {
    max(1, total / HTTPProgress.mostReports + (total % HTTPProgress.mostReports > 0 ? 1 : 0))
  }
}
