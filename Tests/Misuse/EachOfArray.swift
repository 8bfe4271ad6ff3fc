// The elements of an array are found by comparing all of them.
// error: 'connectEach(_:action:named:_:)' is unavailable: keep the elements in a KeyedArray, which finds each by its id

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectEach(\.rows, action: DeskAction.row) { id, row in }
}
