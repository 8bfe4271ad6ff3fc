// A predicate gives a Bool.
// error: 'connect(while:named:_:)' is unavailable: for what is there or not use connectIfPresent; 'while' gives a Bool

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(while: { $0.pending }) { _ in }
}
