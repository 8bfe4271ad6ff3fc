// A method that appends says so in its name.
// error: 'update' has been renamed to 'updateOrAppend(_:)'

import Millrace

func misuse(_ rows: inout KeyedArray<Desk.Row>) {
  rows.update(Desk.Row(id: 1))
}
