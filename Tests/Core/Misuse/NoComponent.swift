// A class that conforms to nothing cannot be connected.
// error: no exact matches in call to instance method 'connect'

import Millrace

final class Logger: Sendable {}

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(Logger(), to: \.query)
}
