import Millrace
import MillraceSpelling

extension HeldRun {
  /// The effect and its request.
  var text: String { "\(identity.name) \(Spelling.text(of: request))" }

  /// The types of the actions that it sends and of the errors that it can throw; `Never` if it cannot.
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
