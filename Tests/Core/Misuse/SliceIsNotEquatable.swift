// A slice is compared.
// error: instance method 'scope' requires that 'Desk.Opaque' conform to 'Equatable'

import Millrace

struct Room: Sendable { var desk = Desk.Opaque() }

func misuse(_ store: Store<Room, DeskAction>) {
  _ = store.scope(\.desk)
}
