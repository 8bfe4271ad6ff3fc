// The effect's actions are not the store's.
// error: 'connect(_:to:named:background:)' is unavailable: the effect sends actions of another type: add 'action:', which makes the store's action of the effect's

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: String) -> Set<String> { [state] }
  func run(_ query: String, send: Send<RowAction>) async {}
}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Lookup(), to: \.query)
}
