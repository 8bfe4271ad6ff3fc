// What is always there has no lifetime.
// error: cannot convert value of type 'KeyPath<Desk, String>' to expected argument type 'KeyPath<Desk, Optional<String>>'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectIfPresent(\.query, action: DeskAction.arrived) { query in }
}
