import Millrace

extension AskedEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
  }
}
