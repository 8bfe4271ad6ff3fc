// The type of the error stands in one closure of two.
// error: invalid conversion of thrown error type 'any Error' to 'NoAnswer'

import Millrace

struct NoAnswer: Error {}

func lookUp(_ query: String) async throws(NoAnswer) -> String { query }

func misuse(_ store: Store<Desk, DeskAction>) {
  store.connect(
    when: \.pending, failure: { (failure: NoAnswer, _) in .arrived("\(failure)") },
    run: { query, send in await send(.arrived(try await lookUp(query))) })
}
