// The slice is not what the effect watches.
// error: 'connect(_:to:named:longRunning:)' is unavailable: the effect watches a slice of another type or sends other actions than the store's: make the slice by store.scope(computed:action:), or add 'action:'

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Int) -> Set<Int> { [state] }
  func run(_ query: Int, send: Send<DeskAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup(), to: \.query)
}
