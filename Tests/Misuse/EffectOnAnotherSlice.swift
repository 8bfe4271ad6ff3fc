// The slice is not what the effect watches.
// error: 'connect(_:to:named:background:)' is unavailable: the slice is not of the type that the effect watches; make it by store.scope(computed:action:)

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Int) -> Set<Int> { [state] }
  func run(_ query: Int, send: Send<DeskAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup(), to: \.query)
}
