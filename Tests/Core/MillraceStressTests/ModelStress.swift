import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Random use from several tasks at once, held against a simple model of what the promises say.
@Suite("Stress: random sequences against a model")
struct ModelStress {
  @Test("whatever is done in whatever order, the promises hold")
  func sequences() async {
    let seeds = TestSize.seeds(300, full: 10_000)
    let next = Lock(seeds.lowerBound)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          while true {
            let seed = next.withLock { next in
              defer { next += 1 }
              return next
            }
            if seed >= seeds.upperBound { return }
            let failures = await Scenario(seed: seed).play()
            #expect(failures.isEmpty, "MILLRACE_SEED=\(seed): \(failures.joined(separator: "; "))")
          }
        }
      }
    }
  }
}
