import Millrace
import MillraceTesting

/// An effect whose runs wait until the test says how they end.
struct SwitchedWork: EffectComponent {
  private let gates = Lock<[Int: (gate: Gate, fails: Bool)]>([:])

  /// The requests that are being served.
  var served: Set<Int> { gates.withLock { Set($0.keys) } }

  func end(_ number: Int, fails: Bool) {
    let gate = gates.withLock { gates in
      gates[number]?.fails = fails
      return gates[number]?.gate
    }
    gate?.open()
  }

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Mark>) async throws(RandomWork.Failed) {
    let gate = Gate()
    gates.withLock { $0[number] = (gate, false) }
    let isOpen: Void? = try? await gate.wait()
    let fails = gates.withLock { $0.removeValue(forKey: number)?.fails }
    guard isOpen != nil, let fails else { return }
    if fails { throw RandomWork.Failed() }
    await send(.done(number))
  }

  func action(for failure: RandomWork.Failed, of number: Int) -> Mark { .failed(number) }
}
