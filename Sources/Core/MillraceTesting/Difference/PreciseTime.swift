/// Spells two dates or durations more precisely if their descriptions are equal.
enum PreciseTime {
  private static let mostDigits = 9

  /// The texts of two dates or durations; `nil` for other values, and if their descriptions already differ.
  static func pair(_ old: Any, _ new: Any) -> (old: ShownText, new: ShownText)? {
    if let old = old as? Duration, let new = new as? Duration {
      return "\(old)" == "\(new)" ? (text(of: old), text(of: new)) : nil
    }
    guard let oldSeconds = seconds(of: old), let newSeconds = seconds(of: new),
      oldSeconds.magnitude < 1e15, newSeconds.magnitude < 1e15, "\(old)" == "\(new)"
    else {
      return nil
    }
    for digits in 1...mostDigits {
      let texts = (text(of: old, oldSeconds, digits), text(of: new, newSeconds, digits))
      if texts.0 != texts.1 { return texts }
    }
    return (
      ShownText(description: "\(oldSeconds) seconds since 2001"),
      ShownText(description: "\(newSeconds) seconds since 2001")
    )
  }

  // MARK: Dates

  /// The seconds of a `Date` of Foundation, which this module does not import.
  private static func seconds(of value: Any) -> Double? {
    guard let part = Mirror(reflecting: value).children.first,
      part.label == "timeIntervalSinceReferenceDate",
      ["Foundation.Date", "FoundationEssentials.Date"].contains(String(reflecting: type(of: value)))
    else { return nil }
    return part.value as? Double
  }

  /// The description of a date, `2001-01-01 00:00:00 +0000`, with the first digits after the decimal point of its
  /// seconds. Before 2001 the seconds are negative. Their description is rounded down, so the digits count from there.
  private static func text(of date: Any, _ seconds: Double, _ digits: Int) -> ShownText {
    let words = "\(date)".split(separator: " ", omittingEmptySubsequences: false)
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let rest = seconds.truncatingRemainder(dividingBy: 1)
    // A rest just below zero is rounded to a whole second.
    let number = String(min(Int((rest < 0 ? rest + 1 : rest) * power), Int(power) - 1))
    let padded = String(repeating: "0", count: digits - number.count) + number
    let head = words.prefix(2).joined(separator: " ") + "." + padded
    return ShownText(description: ([head] + words.dropFirst(2).map(String.init)).joined(separator: " "))
  }

  // MARK: Durations

  private static func text(of duration: Duration) -> ShownText {
    let (seconds, attoseconds) = duration.components
    let isNegative = seconds < 0 || attoseconds < 0
    let number = String(attoseconds.magnitude)
    var fraction = Substring(String(repeating: "0", count: 18 - number.count) + number)
    while fraction.last == "0", fraction.count > 1 { fraction = fraction.dropLast() }
    return ShownText(description: "\(isNegative ? "-" : "")\(seconds.magnitude).\(fraction) seconds")
  }
}
