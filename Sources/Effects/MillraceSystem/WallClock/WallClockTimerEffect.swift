import Foundation
import Millrace

/// Runs the wall-clock timers that the state asks for, such as every day at six in a time zone, or once at a date.
///
/// ```swift
/// struct Reports: Sendable {
///   var timers: Set<WallClockTimerRequest<String>> = [
///     WallClockTimerRequest("report", .daily(at: .init(6), timeZone: "Europe/Berlin"))
///   ]
/// }
/// ```
///
/// ```swift
/// store.connect(WallClockTimerEffect(), to: \.timers, action: ReportsAction.timer, longRunning: true)
/// ```
///
/// The wall clock may be set while a timer waits. If it is put forward over several ticks, the timer fires once and
/// reports how many ticks that replaces. If it is put back, the timer does not fire again for the last reported tick,
/// but fires at every other due time that the clock reaches. A machine that slept over ticks is treated like a clock
/// that was put forward.
///
/// The effect checks the wall clock at least once a minute by default: a tick is late by at most that much if the
/// clock has been set, and by almost nothing otherwise. A timer costs one sleeping task.
///
/// If something must happen only once a day, keep the last day in the state: a restarted timer, for instance in a
/// restarted program, does not know which ticks were reported before.
public struct WallClockTimerEffect<ID: Hashable & Sendable>: EffectComponent {
  private let wallClock: @Sendable () -> Date
  private let clock: any Clock<Duration>
  private let longestSleep: Duration

  /// Makes an effect.
  ///
  /// - Parameters:
  ///   - wallClock: returns the current date; replace it in a test.
  ///   - clock: the clock on which the effect waits; with a test clock, a test decides when the wall clock is
  ///     checked.
  ///   - longestSleep: the longest time between two checks of the wall clock. Less than a millisecond counts as one
  ///     millisecond.
  public init(
    wallClock: @escaping @Sendable () -> Date = { Date() }, clock: any Clock<Duration> = ContinuousClock(),
    longestSleep: Duration = .seconds(60)
  ) {
    self.wallClock = wallClock
    self.clock = clock
    self.longestSleep = max(longestSleep, .milliseconds(1))
  }

  /// Returns the `id` of the timer.
  public func id(of timer: WallClockTimerRequest<ID>) -> ID { timer.id }

  /// Returns every timer in the state. If two share an `id`, the store reports it.
  public func requests(in timers: Set<WallClockTimerRequest<ID>>) -> Set<WallClockTimerRequest<ID>> { timers }

  /// Sends a tick whenever one is due, until the schedule ends or the run is stopped.
  public func run(_ timer: WallClockTimerRequest<ID>, send: Send<WallClockTimerEvent<ID>>) async {
    do throws(WallClockRefusal) {
      var ticks = try Self.ticks(of: timer.schedule, now: seconds(wallClock()))
      while let due = ticks.due {
        let now = wallClock()
        if let tick = ticks.clockLookedAt(seconds(now)) {
          let date = Date(timeIntervalSince1970: Double(tick.due))
          let delivery = await send(.fired(timer.id, WallClockTick(due: date, missed: tick.missed)))
          guard delivery == .reduced else { return }
        } else {
          let wait = Duration.seconds(max(0, min(Double(due) - now.timeIntervalSince1970, 1e9)))
          try await sleep(min(max(wait, .milliseconds(1)), longestSleep))
          if Task.isCancelled { return }
        }
      }
    } catch {
      if !Task.isCancelled { await send(.refused(timer.id, error)) }
    }
  }

  /// The whole seconds of a date, limited to those that a calendar has.
  private func seconds(_ date: Date) -> Int {
    Int(max(-1e12, min(date.timeIntervalSince1970, 1e12)).rounded(.down))
  }

  private func sleep(_ wait: Duration) async throws(WallClockRefusal) {
    do { try await withWaitReason("the time of the next tick") { try await clock.sleep(for: wait) } } catch {
      throw .clockFailed(String(describing: error))
    }
  }

  private static func ticks(
    of schedule: WallClockSchedule, now: Int
  ) throws(WallClockRefusal) -> WallClockTicks {
    switch schedule {
    case .once(at: let date):
      let seconds = date.timeIntervalSince1970.rounded(.up)
      guard (-62_135_596_800.0)...(253_402_300_799.0) ~= seconds else { throw .dateOutOfRange(date) }
      return WallClockTicks(once: Int(seconds), now: now)
    case .weekly(let weekdays, at: let time, timeZone: let name):
      guard 0...23 ~= time.hour, 0...59 ~= time.minute, 0...59 ~= time.second else { throw .noSuchTime(time) }
      guard !weekdays.isEmpty else { throw .noWeekday }
      guard let zone = name.map({ TimeZone(identifier: $0) }) ?? .autoupdatingCurrent else {
        throw .unknownTimeZone(name ?? "")
      }
      let times = LocalTimes(
        secondOfDay: (time.hour * 60 + time.minute) * 60 + time.second,
        weekdays: Set(weekdays.map(\.rawValue)),
        offset: { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) })
      return WallClockTicks(now: now, next: times.next)
    }
  }
}
