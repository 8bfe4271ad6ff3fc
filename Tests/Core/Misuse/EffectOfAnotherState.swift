// The effect watches another state than the store has.
// error: 'connect(_:named:longRunning:)' is unavailable: the effect watches another state or sends other actions than the store's: add 'to:' and 'action:'

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Int) -> Set<Int> { [state] }
  func run(_ query: Int, send: Send<DeskAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup())
}
