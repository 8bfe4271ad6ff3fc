/// A time measured from a fixed moment.
struct ElapsedTime: InstantProtocol {
  var time = Duration.zero

  func advanced(by duration: Duration) -> Self { ElapsedTime(time: time + duration) }
  func duration(to other: Self) -> Duration { other.time - time }
  static func < (left: Self, right: Self) -> Bool { left.time < right.time }
}
