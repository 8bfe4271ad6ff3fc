import Foundation
import MillraceEffects

/// Reads the `Retry-After` field of an answer.
enum RetryAfter {
  /// Returns the time to wait, from zero to the longest time of a timer; `nil` if the field is missing or invalid. A
  /// date counts from the answer's own `Date`, or from `now` without one.
  static func delay(in headers: HTTPHeaders, now: @autoclosure () -> Date = Date()) -> Duration? {
    guard let text = headers.values(of: "retry-after").first else { return nil }
    let field = text.trimmingCharacters(in: .whitespaces)
    if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
      return min(.seconds(Int64(field) ?? .max), TimerLimits.longestWait)
    }
    guard let date = HTTPDate(field) else { return nil }
    let sent = headers["date"].flatMap { HTTPDate($0) }?.seconds ?? Int(now().timeIntervalSince1970)
    return min(max(.zero, .seconds(date.seconds - sent)), TimerLimits.longestWait)
  }
}
