// A condition is no request, whatever the actions.
// error: instance method 'connect(when:action:named:longRunning:fileID:line:run:)' requires that 'Bool' conform to 'RequestCollection'

import Millrace

func misuse(_ store: Store<Desk, DeskAction>) {
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  store.connect(when: { $0.query.isEmpty }, action: { DeskAction.row(1, $0) }) { _, send in await send(.done)
  }
}
