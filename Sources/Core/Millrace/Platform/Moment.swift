import Dispatch

/// A point in time of the machine's monotonic clock.
///
/// It is not a `ContinuousClock.Instant`, whose layout the compiler does not know: values that contain one are copied
/// by runtime calls.
package struct Moment: Sendable, Comparable {
  let nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  package static var now: Moment { Moment(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

  func duration(to other: Moment) -> Duration {
    .nanoseconds(Int64(other.nanoseconds) - Int64(nanoseconds))
  }

  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
}
