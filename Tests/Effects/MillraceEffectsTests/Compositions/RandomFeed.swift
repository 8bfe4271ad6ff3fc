import Millrace
import MillraceTesting

/// An effect with one run, to which numbers are handed over. It takes as long for each as a script says, and fails as
/// the script says among the first few.
struct RandomFeed: HandoverEffectComponent {
  typealias Action = Mark

  let clock: TestClock
  let script: RunScript
  let taken: Recorder<Int>

  func id(of number: Int) -> Int { 0 }

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(following numbers: RequestUpdates<Int>, send: Send<Mark>) async throws(RandomWork.Failed) {
    for await number in numbers {
      taken.append(number)
      let (takes, fails) = script.run(taken.count)
      do { try await clock.sleep(for: takes) } catch { return }
      if fails, taken.count <= 3 { throw RandomWork.Failed() }
      await send(.done(number))
    }
  }

  func action(for failure: RandomWork.Failed, of number: Int) -> Mark { .failed(number) }
}
