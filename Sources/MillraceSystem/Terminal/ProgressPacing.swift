/// When a status is drawn, so that it is not drawn too often. Pure.
struct ProgressPacing<Instant: InstantProtocol> {
  enum Action: Equatable {
    /// Draw the newest status now.
    case draw
    /// Tell `waited` at this instant.
    case wait(until: Instant)
  }

  private let interval: Instant.Duration
  private var last: Instant?
  private var isWaiting = false

  init(interval: Instant.Duration) { self.interval = interval }

  /// There is a new status. What is the last one is not kept back.
  mutating func changed(isLast: Bool, now: Instant) -> Action? {
    guard !isLast, let next = last?.advanced(by: interval), now < next else {
      last = now
      return .draw
    }
    guard !isWaiting else { return nil }
    isWaiting = true
    return .wait(until: next)
  }

  /// The wait is over.
  mutating func waited(now: Instant) -> Action {
    isWaiting = false
    last = now
    return .draw
  }
}
