import Millrace
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// What a test store held is let go of after its end.
@Suite struct ReleaseTests {
  /// What the effect holds.
  final class Client: Sendable {}

  struct Effect: EffectComponent {
    let client: Client
    func requests(in asked: Set<Int>) -> Set<Int> { asked }
    func run(_ request: Int, send: Send<Set<Int>>) async {}
  }

  private let reduce: Reducer<Set<Int>, Set<Int>> = { state, asked in state = asked }

  @Test(arguments: [RunServing.answered, .bodies]) func aTestStore(serving: RunServing) async throws {
    weak var client: Client?
    do {
      let held = Client()
      client = held
      let store = TestStore(
        initialState: [], serving: serving, reduce: reduce, connect: { $0.connect(Effect(client: held)) })
      store.exhaustivity = .none
      store.send([1, 2])
      if serving == .answered { store.answer(1, with: Set([2, 3])) }
      await store.finish()
    }
    try await eventually { client == nil }
  }
}
