// Only the reducer changes the state.
// error: cannot assign to property: 'state' is a get-only property

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.state.query = "swift"
}
