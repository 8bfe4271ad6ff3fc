// A predicate gives a Bool.
// error: cannot convert value of type 'String?' to closure result type 'Bool'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(while: { $0.pending }) { _ in }
}
