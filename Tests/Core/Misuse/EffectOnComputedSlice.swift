// A computed slice comes from a scope.
// error: extra argument 'computed' in call
// error: missing argument for parameter 'to' in call

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Int) -> Set<Int> { [state] }
  func run(_ query: Int, send: Send<DeskAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup(), computed: { $0.numbers.count }, action: { $0 })
}
