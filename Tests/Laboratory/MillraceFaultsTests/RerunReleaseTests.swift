import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import TestSupport
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

  @Test(arguments: [true, false]) func afterTheReruns(ofFaults isOfFaults: Bool) async throws {
    weak var client: Client?
    do {
      let held = Client()
      client = held
      let connect = { @Sendable (store: Store<Set<Int>, Set<Int>>) in _ = store.connect(Effect(client: held))
      }
      if isOfFaults {
        #expect(await FaultMatrix(initialState: [], reduce: reduce, connect: connect).run(steps).reruns > 0)
      } else {
        #expect(await CrashAnywhere(initialState: [], reduce: reduce, connect: connect).run(steps).steps == 3)
      }
    }
    // A task whose body has returned lets go of what it holds a moment later.
    try await eventually { client == nil }
  }
}
