/// A length of time, for people.
struct Age: CustomStringConvertible {
  let seconds: Int

  var description: String {
    for (length, unit) in [(86400, "day"), (3600, "hour"), (60, "minute")] where seconds >= length {
      return "\(seconds / length) \(unit)\(seconds / length == 1 ? "" : "s")"
    }
    return "less than a minute"
  }
}
