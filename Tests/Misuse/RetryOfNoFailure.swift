// Nothing that cannot fail is retried.
// error: 'retried(times:by:clock:when:action:)' is unavailable: the effect cannot fail, so nothing is retried: let its 'run' throw a typed error

import Millrace
import MillraceEffects

func misuse(_ store: Store<Desk, DeskAction>) {
  let look = Effect { (query: String, send: Send<DeskAction>) in await send(.arrived(query)) }
  store.connect(look.retried(times: 3) { _, query in .arrived(query) }, when: \.pending)
}
