// An effect serves its requests.
// error: type 'Lookup' does not conform to protocol 'EffectComponent'
// error: unavailable instance method 'run(_:send:)' was used to satisfy a requirement of protocol 'EffectComponent': write 'func run(_ request: Request, send: Send<Action>) async'

import Millrace

struct Lookup: EffectComponent {
  typealias Action = DeskAction
  func requests(in state: Desk) -> Set<String> { [state.query] }
}
