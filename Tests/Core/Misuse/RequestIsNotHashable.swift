// A request holds no closure.
// error: type 'Lookup.Request' does not conform to protocol 'Hashable'
// error: type 'Lookup' does not conform to protocol 'EffectComponent'

import Millrace

struct Lookup: EffectComponent {
  struct Request: Sendable { let work: @Sendable () -> Void }
  func requests(in state: Desk) -> Set<Request> { [] }
  func run(_ request: Request, send: Send<DeskAction>) async {}
}
