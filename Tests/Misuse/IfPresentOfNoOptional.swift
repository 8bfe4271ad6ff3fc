// What is always there has no lifetime.
// error: 'connectIfPresent(_:action:named:_:)' is unavailable: the slice is not optional: it is always present; use scope(_:action:)

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectIfPresent(\.query, action: DeskAction.arrived) { query in }
}
