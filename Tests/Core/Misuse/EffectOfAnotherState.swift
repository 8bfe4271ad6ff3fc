// The effect watches another state than the store has.
// error: no exact matches in call to instance method 'connect'

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Int) -> Set<Int> { [state] }
  func run(_ query: Int, send: Send<DeskAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup())
}
