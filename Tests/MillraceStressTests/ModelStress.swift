import MillraceTesting
import Testing

@testable import Millrace

/// Random use from several tasks at once, held against a simple model of what the promises say.
@Suite("Stress: random sequences against a model")
struct ModelStress {
  @Test("whatever is done in whatever order, the promises hold")
  func sequences() async {
    let first = Stress.seed ?? 1
    let count = Stress.seed == nil ? Stress.sequences : 1
    let next = Lock(0)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          while true {
            let number = next.withLock { next in
              defer { next += 1 }
              return next
            }
            if number >= count { return }
            let seed = first + number
            let failures = await Scenario(seed: UInt64(seed)).play()
            #expect(failures.isEmpty, "MILLRACE_SEED=\(seed): \(failures.joined(separator: "; "))")
          }
        }
      }
    }
  }
}
