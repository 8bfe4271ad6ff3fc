// A condition is no request, whatever the actions.
// error: 'connect(when:action:named:background:run:)' is unavailable: 'when' gives an optional request or a Set of requests; for a condition use connect(while:)

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { $0.query.isEmpty }, action: { DeskAction.row(1, $0) }) { _, send in await send(.done)
  }
}
