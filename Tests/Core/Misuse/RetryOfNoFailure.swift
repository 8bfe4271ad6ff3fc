// An effect that cannot fail is never retried: a warning, since the compiler prefers any available method to an
// unavailable one.
// warning: 'retried(times:by:clock:when:action:)' is deprecated: the effect cannot fail, so nothing is retried: let its 'run' throw a typed error [#DeprecatedDeclaration]

import Millrace
import MillraceEffects

func misuse(_ store: Store<Desk, DeskAction>) {
  let look = Effect { (query: String, send: Send<DeskAction>) in await send(.arrived(query)) }
  store.connect(look.retried(times: 3) { _, query in .arrived(query) }, when: \.pending)
}
