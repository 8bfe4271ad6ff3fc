import Millrace
import MillraceTesting

/// An effect whose requests are numbers and whose runs wait at a gate.
struct WorkEffect: EffectComponent {
  struct Failed: Error, Equatable {}

  enum Action: Hashable, Sendable {
    case done(Int)
    case failed(Int)
    case timedOut(Int)
  }

  let begun = Recorder<Int>()
  let ended = Recorder<Int>()
  let gate = Gate()
  /// Whether runs go on waiting when they are cancelled.
  var isStubborn = false

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Action>) async throws(Failed) {
    begun.append(number)
    defer { ended.append(number) }
    if isStubborn {
      await gate.waitIgnoringCancellation()
    } else {
      do { try await gate.wait() } catch { return }
    }
    guard number >= 0 else { throw Failed() }
    await send(.done(number))
  }

  func action(for failure: Failed, of number: Int) -> Action { .failed(number) }
}
