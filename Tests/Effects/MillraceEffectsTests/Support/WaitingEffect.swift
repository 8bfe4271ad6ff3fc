import Millrace
import MillraceTesting

/// Waits at a gate, and fails when it is stopped there.
struct WaitingEffect: EffectComponent {
  let gate: Gate
  func requests(in isAsked: Bool) -> Set<Int> { [1] }
  func run(_ request: Int, send: Send<Int>) async throws(CancellationError) { try await gate.wait() }
  func action(for failure: CancellationError, of request: Int) -> Int { 99 }
}
