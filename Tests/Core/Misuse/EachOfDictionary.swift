// The values of a dictionary are found by comparing all of them.
// error: cannot convert value of type 'KeyPath<Desk, Dictionary<Int, Desk.Row>>' to expected argument type 'KeyPath<Desk, KeyedArray<Element>>'
// error: generic parameter 'Element' could not be inferred

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connectEach(\.table, action: DeskAction.row) { id, row in }
}
