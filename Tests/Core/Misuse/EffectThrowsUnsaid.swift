// An error of a run would be lost.
// error: 'init(run:)' is unavailable: the closure can throw: add 'failure:', which says what action an error becomes

import Millrace
import MillraceEffects

func lookUp(_ query: String) async throws -> String { query }

func misuse(_ store: Store<Desk, DeskAction>) {
  let look = Effect { (query: String, send: Send<DeskAction>) in
    await send(.arrived(try await lookUp(query)))
  }
  store.connect(look.debounced(for: .milliseconds(300)), when: \.pending)
}
