import LonelyTimer

/// A timer in a list, with its place, which the timer itself does not know.
struct TimerRow: Identifiable, Hashable, Sendable {
  let id: Int
  var timer: LonelyTimer.State

  init(id: Int, timer: LonelyTimer.State = LonelyTimer.State()) {
    self.id = id
    self.timer = timer
  }
}
