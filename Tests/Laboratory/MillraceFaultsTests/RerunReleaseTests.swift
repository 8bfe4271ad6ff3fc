import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

/// What reruns held is let go of after their end.
@Suite struct RerunReleaseTests {
  /// What the effect holds.
  final class Client: Sendable {}

  struct Effect: EffectComponent {
    let client: Client
    func requests(in asked: Set<Int>) -> Set<Int> { asked }
    func run(_ request: Int, send: Send<Set<Int>>) async {}
  }

  private let reduce: Reducer<Set<Int>, Set<Int>> = { state, asked in state = asked }

  private func steps(_ store: TestStore<Set<Int>, Set<Int>>) async {
    store.exhaustivity = .none
    store.send([1, 2])
    store.answer(1, with: Set([2, 3]))
    store.send([3])
    await store.finish()
  }

  @Test func rerunsWithFaults() async {
    weak var client: Client?
    do {
      let held = Client()
      client = held
      let matrix = FaultMatrix(
        initialState: [], reduce: reduce, connect: { $0.connect(Effect(client: held)) })
      #expect(await matrix.run(steps).reruns > 0)
    }
    #expect(client == nil)
  }

  @Test func rerunsWithCrashes() async {
    weak var client: Client?
    do {
      let held = Client()
      client = held
      let crashes = CrashAnywhere(
        initialState: [], reduce: reduce, connect: { $0.connect(Effect(client: held)) })
      #expect(await crashes.run(steps).steps == 3)
    }
    #expect(client == nil)
  }
}
