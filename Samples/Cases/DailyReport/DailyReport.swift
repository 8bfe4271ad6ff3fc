import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import MillraceTrace

/// A report that is made every morning at six by the wall clock, once a day, even if the machine slept.
nonisolated enum DailyReport {
  struct Report: Hashable, Sendable {
    var day: String
    var due: Date
    /// The number of earlier days without a report.
    var missed: Int
  }

  struct State: Equatable, Sendable {
    /// The day of the last report. A program that restarts keeps it on disk.
    var lastDay = ""
    var due: Report?
    var timers: Set<WallClockTimerRequest<String>> = [
      WallClockTimerRequest("report", .daily(at: .init(6), timeZone: "Europe/Berlin"))
    ]
  }

  enum Action: Equatable, Sendable {
    case timer(WallClockTimerEvent<String>)
    case reported(Report)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .timer(.fired(_, let tick)):
      let day = day(of: tick.due)
      // The clock may be put back, and the program may restart.
      if day > state.lastDay { state.due = Report(day: day, due: tick.due, missed: tick.missed) }
    case .timer(.refused): state.timers = []
    case .reported(let report): (state.lastDay, state.due) = (report.day, nil)
    }
  }

  /// The date in Berlin.
  static func day(of date: Date) -> String {
    var style = Date.ISO8601FormatStyle().year().month().day()
    style.timeZone = TimeZone(identifier: "Europe/Berlin") ?? style.timeZone
    return date.formatted(style)
  }

  static func connect(
    to store: Store<State, Action>, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date,
    make: @escaping @Sendable (Report) async -> Void
  ) {
    store.connect(
      WallClockTimerEffect(wallClock: now, clock: clock), to: \.timers, action: Action.timer,
      longRunning: true
    )
    store.connect(when: \.due) { report, send in
      await make(report)
      await send(.reported(report))
    }
  }
}

nonisolated extension Case {
  static let dailyReport = Case(
    name: "daily",
    symptom: "the report comes an hour late since March, twice in October, or never after a holiday"
  ) { say in
    let (clock, reports) = (TestClock(), Recorder<String>())
    let start = try Date("2026-03-27T12:00:00Z", strategy: .iso8601)
    let asleep = Lock(TimeInterval(0))
    let now: @Sendable () -> Date = {
      start + TimeInterval(clock.now.sinceStart.components.seconds) + asleep.withLock { $0 }
    }
    let store = Store(initialState: DailyReport.State(), on: .immediate, reduce: DailyReport.reduce)
    try store.recordIfAsked()
    DailyReport.connect(to: store, clock: clock, now: now) { report in
      let missed = report.missed > 0 ? ", \(report.missed) missed" : ""
      reports.append("\(report.day): due at \(report.due.formatted(.iso8601))\(missed)")
    }
    for count in 1...4 {
      // Before the fourth report, the machine sleeps for three days.
      if count == 4 { asleep.withLock { $0 = 3 * 86_400 } }
      while reports.count < count {
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        await store.settled()
      }
      say(reports.values[count - 1])
    }
    await store.shutdown()
  }
}
