/// Decides when a wall-clock timer fires, even if the clock is set meanwhile. Pure: times are whole seconds since the
/// beginning of 1970.
struct WallClockTicks {
  struct Tick: Equatable {
    var due: Int
    var missed: Int
  }

  /// The largest number of missed ticks that are counted.
  static let mostMissed = 1_000

  private let next: (Int) -> Int?
  /// The time of the next tick; `nil` if there is none.
  private(set) var due: Int?
  private var reported: Int?
  private var looked: Int

  /// Makes a timer that starts now. `next` returns the first time to fire after another time.
  init(now: Int, next: @escaping (Int) -> Int?) {
    self.next = next
    looked = now
    due = next(now)
  }

  /// Makes a timer that fires once.
  init(once due: Int, now: Int) {
    next = { _ in nil }
    looked = now
    self.due = due
  }

  /// The clock shows `now`. Returns the tick to send; `nil` if none is due.
  mutating func clockLookedAt(_ now: Int) -> Tick? {
    if now < looked, let reported {
      // The clock was put back. Times that it now reaches again have had their ticks; earlier times have not.
      let again = next(now)
      due = again == reported ? next(reported) : again
    } else if now < looked, due != nil {
      due = next(now) ?? due
    }
    looked = now
    guard var last = due, last <= now else { return nil }
    var missed = 0
    while missed < Self.mostMissed, let later = next(last), later <= now {
      (last, missed) = (later, missed + 1)
    }
    reported = last
    due = next(now)
    return Tick(due: last, missed: missed)
  }
}
