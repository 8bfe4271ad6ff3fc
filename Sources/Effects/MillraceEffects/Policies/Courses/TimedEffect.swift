import Millrace

/// An effect that describes as values when its runs act by themselves. An explorer then needs neither real time nor a
/// list of these acts. Pure.
package protocol TimedEffect: EffectComponent {
  /// The model of a run of the request at its beginning; `nil` if the run does nothing by itself.
  func course(of request: Request) -> (any RunCourse)?
}

extension TimedEffect {
  /// The model of a run of a request of any type; `nil` also for a request of another type.
  package func erasedCourse(of request: any Hashable & Sendable) -> (any RunCourse)? {
    (request as? Request).flatMap(course)
  }
}

extension TimedEffect where Self: WrapperEffect {
  /// The model of a run of the wrapped effect, for a wrapper that does nothing by itself.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
  }
}

extension AskedEffect: TimedEffect {}
extension IgnoringEffect: TimedEffect {}
