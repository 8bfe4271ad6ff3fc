import Millrace
import MillraceEffects

// For an explorer these effects do nothing by themselves, and what the effects within do.

extension WhenSavedEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
  }
}

extension OnceEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
  }
}

extension WhenJournaledEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
  }
}
