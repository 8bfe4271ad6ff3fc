import Millrace
import MillraceEffects

// These effects do nothing themselves in an explorer. An explorer runs the effects that they contain.

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
