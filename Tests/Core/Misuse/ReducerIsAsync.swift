// A reducer waits for nothing.
// error: cannot pass function of type '@Sendable (inout Desk, DeskAction) async -> ()' to parameter expecting synchronous function type

import Millrace

func misuse() {
  _ = Store(initialState: Desk()) { (desk: inout Desk, action: DeskAction) async in
    await Task.yield()
  }
}
