// A condition is no request.
// error: 'connect(when:named:longRunning:run:)' is unavailable: 'when' gives an optional request or a Set of requests; for a condition use connectIfPresent(computed:)

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { $0.isOnline }) { _, send in await send(.arrived("")) }
}
