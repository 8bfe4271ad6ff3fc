// Requests are a set, not an array.
// error: 'connect(when:named:longRunning:run:)' is unavailable: requests are a set: give Set(…) of the array

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { $0.numbers }) { number, send in await send(.arrived("\(number)")) }
}
