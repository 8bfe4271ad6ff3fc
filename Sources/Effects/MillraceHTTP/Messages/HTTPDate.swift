import Foundation

/// A date in one of the three forms of RFC 9110, section 5.6.7.
struct HTTPDate: Equatable {
  /// The seconds since 1970, in UTC.
  let seconds: Int

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  init?(_ text: String) {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    let parts: (day: String, month: String, year: String, time: String)
    switch words.count {
    case 6 where words[5] == "GMT": parts = (words[1], words[2], words[3], words[4])
    case 5: parts = (words[2], words[1], words[4], words[3])
    default: return nil
    }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let time = parts.time.split(separator: ":", omittingEmptySubsequences: false).map {
      Self.number($0) ?? -1
    }
    guard let month = months.firstIndex(of: parts.month), let day = Self.number(parts.day),
      let written = Self.number(parts.year), (1...31).contains(day), time.count == 3,
      (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    // A year of two digits is between 1970 and 2069. This needs no clock.
    let year = parts.year.utf8.count == 2 ? written + (written < 70 ? 2000 : 1900) : written
    guard (1970...9999).contains(year) else { return nil }
    var calendar = tm()
    (calendar.tm_year, calendar.tm_mon, calendar.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
    (calendar.tm_hour, calendar.tm_min, calendar.tm_sec) = (Int32(time[0]), Int32(time[1]), Int32(time[2]))
    seconds = Int(timegm(&calendar))
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}
