// A condition is no request, by key path either.
// error: 'connect(when:named:longRunning:run:)' is unavailable: 'when' gives an optional request or a Set of requests; for a condition use connectIfPresent(computed:)

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(when: \.isOnline) { _, send in await send(.arrived("")) }
}
