// The values of a dictionary are found by comparing all of them.
// error: 'connectEach(_:action:named:_:)' is unavailable: keep the values in a KeyedArray of Identifiable elements, which finds each by its id

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectEach(\.table, action: DeskAction.row) { id, row in }
}
