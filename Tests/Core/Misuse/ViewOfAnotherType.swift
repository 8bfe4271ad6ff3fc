// The slice is not of the type of the props.
// error: 'connect(_:to:named:longRunning:)' is unavailable: the slice is not of the type of the props; make them by connect(_:props:)

import Millrace

@MainActor final class Label: ViewComponent {
  var props = 0
}

@MainActor func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Label(), to: \.query)
}
