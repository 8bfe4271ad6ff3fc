// A class that conforms to nothing cannot be connected.
// error: 'connect(_:to:named:longRunning:)' is unavailable: only an EffectComponent, a Component or a ViewComponent can be connected

import Millrace

final class Logger: Sendable {}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Logger(), to: \.query)
}
