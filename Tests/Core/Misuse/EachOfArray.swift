// The elements of an array are found by comparing all of them.
// error: generic parameter 'Element' could not be inferred
// error: cannot convert value of type 'KeyPath<Desk, Array<Desk.Row>>' to expected argument type 'KeyPath<Desk, KeyedArray<Element>>'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectEach(\.rows, action: DeskAction.row) { id, row in }
}
