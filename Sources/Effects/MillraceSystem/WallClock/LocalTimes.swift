/// Computes the times at which a wall clock shows a time of day, on some weekdays. Pure: times are whole seconds since
/// the beginning of 1970, and the time zone is a function.
struct LocalTimes {
  private static let day = 86_400
  private static let hour = 3_600
  /// More than the largest difference between local and universal time.
  private static let farthest = 26 * hour

  private let secondOfDay: Int
  /// The weekdays, from 0 for Monday to 6.
  private let weekdays: Set<Int>
  /// The difference by which local time is ahead of universal time.
  private let offset: (Int) -> Int

  init(secondOfDay: Int, weekdays: Set<Int>, offset: @escaping (Int) -> Int) {
    self.secondOfDay = secondOfDay
    self.weekdays = weekdays
    self.offset = offset
  }

  /// The first such time after another one; `nil` if there is none within two weeks.
  func next(after time: Int) -> Int? {
    let today = Self.quotient(local(time), Self.day)
    for day in (today - 1)...(today + 15) {
      // 1970 began on a Thursday.
      guard weekdays.contains(day + 3 - Self.quotient(day + 3, 7) * 7) else { continue }
      if let due = self.time(on: day), due > time { return due }
    }
    return nil
  }

  private func local(_ time: Int) -> Int { time + offset(time) }

  /// The first time at which clocks show the time of day on this day, counted from 1970. If clocks skip that time of
  /// day, the time at which they are put forward.
  private func time(on day: Int) -> Int? {
    let wanted = day * Self.day + secondOfDay
    let samples = Array(stride(from: wanted - Self.farthest, through: wanted + Self.farthest, by: Self.hour))
    let shown = Set(samples.map(offset)).map { wanted - $0 }.filter { local($0) == wanted }
    if let first = shown.min() { return first }
    guard let late = samples.first(where: { local($0) > wanted }) else { return nil }
    var (before, after) = (late - Self.hour, late)
    while after - before > 1 {
      let middle = (before + after) / 2
      if local(middle) > wanted { after = middle } else { before = middle }
    }
    let isDayLeftOut = local(before) < day * Self.day && local(after) >= (day + 1) * Self.day
    return isDayLeftOut ? nil : after
  }

  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
  }
}
