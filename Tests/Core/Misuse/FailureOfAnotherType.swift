// 'run' throws one type and 'action(for:of:)' takes another; a note says so.
// error: type 'Lookup' does not conform to protocol 'EffectComponent'

import Millrace

struct NoAnswer: Error {}

struct Lookup: EffectComponent {
  func requests(in state: Desk) -> Set<String> { [] }
  func run(_ query: String, send: Send<DeskAction>) async throws(NoAnswer) {}
  func action(for failure: any Error, of query: String) -> DeskAction { .arrived("\(failure)") }
}
