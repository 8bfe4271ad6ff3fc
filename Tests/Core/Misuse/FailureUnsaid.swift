// An error of a run would be lost.
// error: type 'Lookup' does not conform to protocol 'EffectComponent'
// error: unavailable instance method 'action(for:of:)' was used to satisfy a requirement of protocol 'EffectComponent': 'run' can throw: say what action its failure becomes, by 'action(for:of:)'

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Desk) -> Set<String> { [state.query] }
  func run(_ query: String, send: Send<DeskAction>) async throws { await send(.arrived(query)) }
}
