// Requests are a set, not an array.
// error: 'connect(when:named:longRunning:run:)' is unavailable: 'when' gives an optional request or a Set of requests; for a value that is always there write '{ Optional($0.value) }', also in place of a key path; where the closure has several statements, name the result, as in '{ state -> String? in … }'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { $0.numbers }) { number, send in await send(.arrived("\(number)")) }
}
