import Millrace

/// An effect that tells as values what its runs do by themselves and when, so that a test that explores need not wait or
/// list it. Pure.
package protocol TimedEffect: EffectComponent {
  /// A run of the request at its beginning; `nil` if it does nothing by itself.
  func course(of request: Request) -> (any RunCourse)?
}

extension TimedEffect {
  /// A run of a request of any type at its beginning; `nil` also for a request of another type.
  package func erasedCourse(of request: any Hashable & Sendable) -> (any RunCourse)? {
    (request as? Request).flatMap(course)
  }
}
