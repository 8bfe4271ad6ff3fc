// An error of a run would be lost.
// error: 'connect(when:named:longRunning:run:)' is unavailable: the body can throw: add 'failure:', which says what action an error becomes

import Millrace

func lookUp(_ query: String) async throws -> String { query }

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(when: \.pending) { query, send in await send(.arrived(try await lookUp(query))) }
}
