import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

@Suite("An id(of:) that is not stable") struct UnstableIdentityTests {
  /// Equal to another of its name, whatever the attempt.
  private struct Visit: Hashable, Sendable {
    let name: String
    let attempt: Int
    static func == (left: Visit, right: Visit) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private struct VisitEffect: EffectComponent {
    typealias Action = [Visit]
    let identify: @Sendable (Visit) -> Int
    func id(of visit: Visit) -> Int { identify(visit) }
    func requests(in visits: [Visit]) -> Set<Visit> { Set(visits) }
    func run(_ visit: Visit, send: Send<[Visit]>) async {}
  }

  /// The failures of a test whose states are these, one after the other.
  private func failures(
    _ effects: [VisitEffect], _ states: [[Visit]]
  ) async -> [String] {
    await FailureCapture.failures {
      let store = TestStore(initialState: [Visit](), serving: .bodies) {
        $0 = $1
      } connect: { store in
        for effect in effects { store.connect(effect, named: "visits") }
      }
      store.exhaustivity = .none
      for state in states {
        store.send(state)
        await store.settle()
      }
      await store.finish()
    }
    .map(\.message)
  }

  private static let mistake = """
    id(of:) of visits gives Visit(name: "Ann", attempt: 1) two identities; equal requests need equal ones
    """

  @Test("an unstable identity fails the test as the request is first identified, once for a connection")
  func atOnce() async {
    let ids = Lock(0)
    let effect = VisitEffect { _ in
      ids.withLock {
        $0 += 1
        return $0
      }
    }
    let states = [[Visit(name: "Ann", attempt: 1)], [], [Visit(name: "Bea", attempt: 1)]]
    #expect(await failures([effect], states) == [Self.mistake])
    #expect(await failures([effect, effect], states) == [Self.mistake, Self.mistake])
  }

  @Test("an identity that contains what == leaves out fails the test, also once the request has left")
  func leftOut() async {
    let (first, second) = (Visit(name: "Ann", attempt: 2), Visit(name: "Ann", attempt: 1))
    for states in [[[first], [second, Visit(name: "Bea", attempt: 3)]], [[first], [], [second]]] {
      #expect(await failures([VisitEffect { $0.attempt }], states) == [Self.mistake])
    }
  }

  @Test("a stable identity fails no test, also where requests leave and come back")
  func stable() async {
    let states = (0..<6).map { attempt in [Visit(name: "Ann", attempt: attempt)].filter { $0.attempt != 3 } }
    #expect(await failures([VisitEffect { $0.name.count }], states) == [])
  }
}
