import Foundation
import TestSupport
import Testing

@testable import MillraceSystem

@Suite("Local times") struct LocalTimesTests {
  private func times(_ zone: String, _ hour: Int, _ minute: Int = 0, weekdays: Set<Int> = Set(0...6)) throws
    -> LocalTimes
  {
    let zone = try #require(TimeZone(identifier: zone))
    return LocalTimes(secondOfDay: (hour * 60 + minute) * 60, weekdays: weekdays) {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))
    }
  }

  private func seconds(_ text: String) throws -> Int {
    try Int(Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  /// The next times after `start`, in universal time.
  private func next(_ count: Int, after start: String, _ times: LocalTimes) throws -> [String] {
    var time = try seconds(start)
    return (1...count).compactMap { _ in
      guard let next = times.next(after: time) else { return nil }
      time = next
      return Date(timeIntervalSince1970: Double(next)).ISO8601Format()
    }
  }

  @Test("every day at six in Berlin is an hour earlier in universal time once clocks are put forward")
  func daily() throws {
    #expect(
      try next(3, after: "2026-03-28T04:59:59Z", times("Europe/Berlin", 6))
        == ["2026-03-28T05:00:00Z", "2026-03-29T04:00:00Z", "2026-03-30T04:00:00Z"])
    // At six itself, the next is tomorrow's.
    #expect(
      try next(1, after: "2026-03-28T05:00:00Z", times("Europe/Berlin", 6)) == ["2026-03-29T04:00:00Z"])
  }

  @Test(
    "a time over which clocks are put forward is when they are, and one over which they are put back is the first"
  )
  func transitions() throws {
    #expect(
      try next(3, after: "2026-03-28T02:00:00Z", times("Europe/Berlin", 2, 30))
        == ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"])
    #expect(
      try next(3, after: "2026-10-24T02:00:00Z", times("Europe/Berlin", 2, 30))
        == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z", "2026-10-27T01:30:00Z"])
    // Between the first and the second half past two, the next is tomorrow's.
    #expect(
      try next(1, after: "2026-10-25T01:00:00Z", times("Europe/Berlin", 2, 30)) == ["2026-10-26T01:30:00Z"])
  }

  @Test("zones of half hours, midnights that do not exist, and a day that was left out")
  func oddZones() throws {
    // Put back by half an hour at two.
    #expect(
      try next(2, after: "2026-04-04T10:00:00Z", times("Australia/Lord_Howe", 1, 45))
        == ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"])
    // Put back by an hour at three, half an hour off the whole hours.
    #expect(
      try next(2, after: "2026-04-04T12:00:00Z", times("Australia/Adelaide", 2, 50))
        == ["2026-04-04T16:20:00Z", "2026-04-05T17:20:00Z"])
    // No midnight on the fourth.
    #expect(
      try next(3, after: "2018-11-03T04:00:00Z", times("America/Sao_Paulo", 0))
        == ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z", "2018-11-06T02:00:00Z"])
    // No 30 December.
    #expect(
      try next(2, after: "2011-12-29T12:00:00Z", times("Pacific/Apia", 6))
        == ["2011-12-29T16:00:00Z", "2011-12-30T16:00:00Z"])
  }

  @Test("weekdays are those of the place")
  func weekdays() throws {
    // Mondays: already Monday in Tokyo while it is Sunday in Greenwich.
    #expect(
      try next(2, after: "2026-11-21T00:00:00Z", times("Asia/Tokyo", 6, weekdays: [0]))
        == ["2026-11-22T21:00:00Z", "2026-11-29T21:00:00Z"])
    #expect(
      try next(3, after: "1969-12-20T00:00:00Z", times("UTC", 0, weekdays: [3, 6]))
        == ["1969-12-21T00:00:00Z", "1969-12-25T00:00:00Z", "1969-12-28T00:00:00Z"])
    #expect(try next(1, after: "2026-11-21T00:00:00Z", times("UTC", 6, weekdays: [])) == [])
  }

  @Test("in zones that nobody has, the next time is the one that trying every quarter of an hour finds")
  func model() {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      func quarters(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) * 900 }
      // Two transitions some days apart, by up to three hours, or by a whole day.
      let first = quarters(0...400)
      let second = first + 3 * 86_400 + quarters(0...400)
      let shift = seed % 10 == 0 ? 86_400 : quarters(-12...12)
      let base = shift == 86_400 ? quarters(-48...(-40)) : quarters(-44...44)
      let offset = { (time: Int) in base + (first..<second ~= time ? shift : 0) }
      let secondOfDay = quarters(0...95)
      let times = LocalTimes(secondOfDay: secondOfDay, weekdays: Set(0...6), offset: offset)
      for _ in 1...20 {
        let start = quarters(-200...1200) + Int.random(in: 0...900, using: &random)
        let expected = Self.next(after: start, secondOfDay, offset)
        #expect(times.next(after: start) == expected, "seed \(seed), \(start)")
      }
    }
  }

  /// The first quarter of an hour after `start` that is the first of its kind on its day.
  private static func next(after start: Int, _ secondOfDay: Int, _ offset: (Int) -> Int) -> Int? {
    let today = Int((Double(start + offset(start)) / 86_400).rounded(.down))
    let dues = ((today - 3)...(today + 4)).compactMap { day -> Int? in
      let wanted = day * 86_400 + secondOfDay
      let quarters = stride(from: wanted - 50 * 3_600, through: wanted + 50 * 3_600, by: 900)
        .map { $0 - ((wanted - 50 * 3_600) % 900 + 900) % 900 }
      if let exact = quarters.first(where: { $0 + offset($0) == wanted }) { return exact }
      guard let late = quarters.first(where: { $0 + offset($0) > wanted }) else { return nil }
      let dayShown = quarters.contains { Int((Double($0 + offset($0)) / 86_400).rounded(.down)) == day }
      return dayShown ? late : nil
    }
    return dues.filter { $0 > start }.min()
  }
}

@Suite("Wall clock ticks") struct WallClockTicksTests {
  /// Fires at every multiple of a hundred.
  private func ticks(now: Int) -> WallClockTicks {
    WallClockTicks(now: now, next: { ($0 / 100 + 1) * 100 })
  }

  typealias Tick = WallClockTicks.Tick

  /// What was looked at, and what fired.
  private static let courses: [[(now: Int, tick: Tick?)]] = [
    [(199, nil), (200, Tick(due: 200, missed: 0)), (200, nil), (305, Tick(due: 300, missed: 0))],
    // Put forward.
    [(555, Tick(due: 500, missed: 3)), (800, Tick(due: 800, missed: 2))],
    [(10_000_000, Tick(due: 100_200, missed: WallClockTicks.mostMissed))],
    // Put back over the tick that was told last.
    [(201, Tick(due: 200, missed: 0)), (150, nil), (200, nil), (300, Tick(due: 300, missed: 0))],
    // Put back further: it fires at the times that it comes to.
    [(9_901, Tick(due: 9_900, missed: 97)), (150, nil), (200, Tick(due: 200, missed: 0))],
  ]

  @Test(
    "a timer fires when the clock has come to a time, once for all that were passed, and for none again",
    arguments: courses)
  func looks(looks: [(now: Int, tick: Tick?)]) {
    var ticks = ticks(now: 130)
    #expect(ticks.due == 200)
    for (now, tick) in looks { #expect(ticks.clockLookedAt(now) == tick) }
    #expect(ticks.due == ((looks.last?.now ?? 0) / 100 + 1) * 100)
  }

  @Test("put back before it has ever fired, it fires at the next time that the clock comes to")
  func backAtFirst() {
    var ticks = ticks(now: 530)
    #expect(ticks.clockLookedAt(130) == nil)
    #expect(ticks.due == 200)
  }

  @Test("once is once, at once if the date has passed, whatever the clock does")
  func once() {
    var past = WallClockTicks(once: 100, now: 130)
    #expect(past.clockLookedAt(130) == Tick(due: 100, missed: 0))
    #expect(past.due == nil)
    var ticks = WallClockTicks(once: 200, now: 130)
    #expect(ticks.clockLookedAt(20) == nil)
    #expect(ticks.due == 200)
    #expect(ticks.clockLookedAt(999) == Tick(due: 200, missed: 0))
    #expect(ticks.clockLookedAt(20) == nil)
    #expect(ticks.due == nil)
  }
}
