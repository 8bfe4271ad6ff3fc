import Dispatch

/// A moment by the machine's own clock.
///
/// Not a `ContinuousClock.Instant`, whose layout the compiler does not know: whatever holds one is copied by calls that
/// ask for it.
struct Moment {
  private let nanoseconds: UInt64

  static var now: Moment { Moment(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

  func duration(to other: Moment) -> Duration {
    .nanoseconds(Int64(other.nanoseconds) - Int64(nanoseconds))
  }
}
