import Millrace
import MillraceEffects
import MillraceSystem

/// The text on standard error while the check runs.
enum Status {
  struct Counts: Equatable, Sendable {
    var checked = 0
    var known = 0
    /// The number of checked addresses that are broken.
    var broken = 0
    /// The number of checked addresses whose findings are stored; `nil` if that does not matter, since checking again
    /// costs little.
    var saved: Int?
  }

  struct State: Equatable, Sendable {
    /// The shown counts; `nil` before there are any.
    private(set) var counts: Counts?
    /// Lines to be shown once, in order.
    private(set) var notices: [String] = []
    /// Whether no further line or count follows.
    private(set) var isOver = false
  }

  typealias Action = TimerEvent<String>

  /// The interval between two updates of the shown counts.
  static let interval = Duration.milliseconds(250)

  /// Connects the feature's timer and the view to its slice of a program.
  static func connect(to store: Store<State, Action>, view: TerminalProgressView) {
    store.connect(view, props: \.progress)
    store.connect(TimerEffect(), to: \.timers)
  }
}

extension Status.State {
  var timers: Set<TimerRequest<String>> {
    isOver ? [] : [TimerRequest("status", .every(Status.interval))]
  }

  mutating func show(_ counts: Status.Counts) { self.counts = counts }

  mutating func tell(_ notice: String) { notices.append(Password.hidden(in: notice)) }

  mutating func end() { isOver = true }

  /// The status for the progress view.
  var progress: ProgressStatus {
    var progress = ProgressStatus(counts?.line, fraction: counts?.fraction)
    progress.notices = notices
    progress.isOver = isOver
    return progress
  }
}

extension Status.Counts {
  /// `12 of 40 checked, 12 saved, 2 broken`
  var line: String {
    "\(checked) of \(known) checked" + (saved.map { ", \($0) saved" } ?? "")
      + (broken > 0 ? ", \(broken) broken" : "")
  }

  fileprivate var fraction: Double { known > 0 ? Double(checked) / Double(known) : 0 }
}
