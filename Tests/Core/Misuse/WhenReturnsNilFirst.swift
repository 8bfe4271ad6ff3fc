// The compiler does not find the type of an optional that several branches give.
// error: 'connect(when:named:longRunning:run:)' is unavailable: 'when' gives an optional request or a Set of requests; for a value that is always there write '{ Optional($0.value) }', also in place of a key path; where the closure has several statements, name the result, as in '{ state -> String? in … }'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { desk in if desk.isOnline { nil } else { desk.query } }) { query, send in
    await send(.arrived(query))
  }
}
