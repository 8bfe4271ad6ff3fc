// The slice is not of the type of the props.
// error: no exact matches in call to instance method 'connect'

import Millrace

@MainActor final class Label: ViewComponent {
  var props = 0
}

@MainActor func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Label(), to: \.query)
}
