import Millrace
import MillraceTesting

/// An effect whose runs wait until the test says how they end. Of several runs of one request, the oldest ends.
struct SwitchedWork: EffectComponent {
  private struct Run {
    let request: Int
    let gate = Gate()
    var fails = false
  }

  private let runs = Lock<[Run]>([])

  /// The requests that are being served.
  var served: Set<Int> { runs.withLock { Set($0.map(\.request)) } }

  func end(_ number: Int, fails: Bool) {
    let gate = runs.withLock { runs -> Gate? in
      guard let index = runs.firstIndex(where: { $0.request == number }) else { return nil }
      runs[index].fails = fails
      return runs[index].gate
    }
    gate?.open()
  }

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Mark>) async throws(RandomWork.Failed) {
    let run = Run(request: number)
    runs.withLock { $0.append(run) }
    let isOpen: Void? = try? await run.gate.wait()
    let fails = runs.withLock { runs in
      runs.firstIndex { $0.gate === run.gate }.map { runs.remove(at: $0).fails }
    }
    guard isOpen != nil, let fails else { return }
    if fails { throw RandomWork.Failed() }
    await send(.done(number))
  }

  func action(for failure: RandomWork.Failed, of number: Int) -> Mark { .failed(number) }
}
