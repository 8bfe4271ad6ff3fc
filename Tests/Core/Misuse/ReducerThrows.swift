// A reducer cannot fail.
// error: invalid conversion from throwing function of type '@Sendable (inout Desk, DeskAction) throws -> Void' to non-throwing function type '@Sendable (inout Desk, DeskAction) -> Void'

import Millrace

struct Trouble: Error {}

func misuse() {
  _ = Store(initialState: Desk()) { (desk: inout Desk, action: DeskAction) throws in throw Trouble() }
}
