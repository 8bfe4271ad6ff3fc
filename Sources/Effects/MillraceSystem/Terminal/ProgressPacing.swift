/// Decides when a status is drawn, so that it is not drawn too often. Pure.
struct ProgressPacing {
  enum Action: Equatable {
    /// Draws the newest status now.
    case draw
    /// Calls `waited` at this time.
    case wait(until: Duration)
  }

  private let interval: Duration
  private var last: Duration?
  /// Whether a status waits to be drawn.
  private(set) var isWaiting = false

  init(interval: Duration) { self.interval = interval }

  /// There is a new status. Times count from the creation of the view. The last status is drawn at once.
  mutating func changed(isLast: Bool, now: Duration) -> Action? {
    guard !isLast, let next = last.map({ $0 + interval }), now < next else {
      last = now
      return .draw
    }
    guard !isWaiting else { return nil }
    isWaiting = true
    return .wait(until: next)
  }

  /// The wait is over, and the newest status is drawn.
  mutating func waited(now: Duration) {
    isWaiting = false
    last = now
  }
}
