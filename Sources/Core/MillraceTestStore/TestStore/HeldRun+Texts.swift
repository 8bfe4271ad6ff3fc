import Millrace
import MillraceSpelling

extension HeldRun {
  /// The effect and its request.
  var text: String { "\(identity.name) \(Spelling.text(of: request))" }

  /// The types of the actions and errors of the run's effect; the error is `Never` if the effect cannot fail.
  package var types: (action: Any.Type, failure: Any.Type) {
    guard let effect = effect as? any EffectComponent else {
      preconditionFailure("a run serves a request of an effect")
    }
    return effect.types
  }
}

extension EffectComponent {
  fileprivate var types: (action: Any.Type, failure: Any.Type) { (Action.self, Failure.self) }
}
