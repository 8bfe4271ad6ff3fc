// Requests are a set, not an optional.
// error: type 'Lookup' does not conform to protocol 'EffectComponent'
// error: unavailable instance method 'requests(in:)' was used to satisfy a requirement of protocol 'EffectComponent': write 'func requests(in state: State) -> Set<Request>' for a State that is Equatable; an array or an optional does not do

import Millrace

struct Lookup: EffectComponent {
  func requests(in state: Desk) -> String? { state.pending }
  func run(_ query: String, send: Send<DeskAction>) async { await send(.arrived(query)) }
}
