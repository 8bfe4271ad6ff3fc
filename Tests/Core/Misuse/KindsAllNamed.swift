// Kinds will be added: a switch outside of the package says what it does with those that it does not know.
// error: switch covers known cases, but 'StoreDiagnostic.Kind' may have additional unknown values, possibly added in future versions

import Millrace

func misuse(_ kind: StoreDiagnostic.Kind) -> Bool {
  switch kind {
  case .dispatchInsideTurn, .waitInsideTurn, .stateReadInsideReducer, .sendAfterReturn: true
  case .clashingRequests, .waitForAnotherStore, .longWait, .slowConsumer, .loop: false
  }
}
