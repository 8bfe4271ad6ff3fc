import MillraceEffects

// These effects do nothing themselves in an explorer. An explorer runs the effects that they contain.

extension WhenSavedEffect: TimedEffect {}
extension WhenJournaledEffect: TimedEffect {}
extension OnceEffect: TimedEffect {}
