import Millrace
import MillraceTesting

/// Fails twice or more, and keeps the send of each failed attempt, to send by it in the next.
struct LeakingEffect: EffectComponent {
  struct Failed: Error {}
  var failures = 2
  let kept = Recorder<Send<Int>>()
  let late = Recorder<Delivery>()

  func requests(in isAsked: Bool) -> Set<Int> { [1] }

  func run(_ request: Int, send: Send<Int>) async throws(Failed) {
    if let before = kept.values.last { late.append(await before(0)) }
    kept.append(send)
    await send(kept.count)
    if kept.count <= failures { throw Failed() }
  }

  func action(for failure: Failed, of request: Int) -> Int { 99 }
}
