import Millrace
import MillraceEffects

/// What is told on standard error while the check runs.
enum Status {
  struct Counts: Equatable, Sendable {
    var checked = 0
    var known = 0
    var troubles = 0
    /// How many of those that were checked would not have to be checked again.
    /// `nil` where that makes no difference, because looking again costs little.
    var saved: Int?
  }

  struct State: Equatable, Sendable {
    /// What is shown; `nil` before there is anything to show.
    private(set) var counts: Counts?
    /// Lines to be told once, in their order.
    private(set) var notices: [String] = []
    /// Whether nothing more will come.
    private(set) var isOver = false
  }

  typealias Action = TimerEvent<String, ContinuousClock.Instant>

  /// How long the display stays as it is.
  static let interval = Duration.milliseconds(250)

  /// Connects the feature's timer to its slice of a program.
  static func connect(to store: Store<State, Action>) {
    store.connect(TimerEffect<String, ContinuousClock>(), to: \.timers, action: { $0 })
  }
}

extension Status.State {
  var timers: Set<TimerRequest<String, ContinuousClock.Instant>> {
    isOver ? [] : [TimerRequest("status", .every(Status.interval))]
  }

  mutating func show(_ counts: Status.Counts) { self.counts = counts }

  mutating func tell(_ notice: String) { notices.append(notice) }

  mutating func end() { isOver = true }
}
