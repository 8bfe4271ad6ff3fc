import Millrace
import MillraceTesting
import Testing

#if DEBUG
@Suite("An id(of:) that is not stable", .timeLimit(.minutes(10)))
struct UnstableIdentityTests {
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

  private let reports = Recorder<StoreDiagnostic>()

  private var options: StoreOptions {
    StoreOptions(diagnostics: .mistakes { [reports] in reports.append($0) })
  }

  private func makeStore() -> Store<[Visit], [Visit]> {
    Store(initialState: [], on: .immediate, options: options) { $0 = $1 }
  }

  @Test("it is reported as the request is first identified, once for a connection")
  func atOnce() async throws {
    let store = makeStore()
    let ids = Lock(0)
    let effect = VisitEffect { _ in
      ids.withLock {
        $0 += 1
        return $0
      }
    }
    store.connect(effect, named: "visits", fileID: "Office/Visits.swift", line: 7)
    store.dispatch([Visit(name: "Ann", attempt: 1)])
    store.dispatch([Visit(name: "Bea", attempt: 1), Visit(name: "Ann", attempt: 1)])
    await store.settled()
    #expect(reports.values.map(\.kind) == [.unstableIdentity])
    let report = try #require(reports.values.first)
    #expect(
      "\(report)" == """
        Office/Visits.swift:7: id(of:) of visits gives Visit(name: "Ann", attempt: 1) two identities; equal requests \
        need equal ones, or their runs overlap, or are stopped and started again
        """)
    store.connect(effect)
    await store.settled()
    #expect(reports.count == 2)
  }

  @Test("it is reported where an identity contains what == leaves out", arguments: [true, false])
  func leftOut(isFinished: Bool) async {
    let store = makeStore()
    store.connect(VisitEffect { $0.attempt })
    store.dispatch([Visit(name: "Ann", attempt: 1)])
    if isFinished { await store.settled() }
    #expect(reports.count == 0)
    store.dispatch([Visit(name: "Ann", attempt: 2), Visit(name: "Bea", attempt: 3)])
    await store.settled()
    #expect(reports.values.map(\.kind) == [.unstableIdentity])
  }

  @Test("one that is stable is silent, also where requests clash, are replaced, leave and come back")
  func stable() async {
    let store = BoardStore(on: .immediate, options: options)
    store.connect(NamedJobEffect { _, _ in })
    store.connect(FollowingJobEffect { jobs, _ in for await _ in jobs {} })
    store.connect(JobEffect { _, _ in })
    let sets: [Set<Job>] = [
      ["a"], ["a", "b"], [Job("a", 1), Job("a", 2)], [Job("a", 2), "b"], [], [Job("a", 2)],
      [Job("a", 1), Job("a", 3), "c"], [Job("a", 3)], ["b", Job("a", 1)],
    ]
    for set in sets + sets.reversed() { store.dispatch(.askOnly(set)) }
    await store.shutdown()
    #expect(reports.values.allSatisfy { $0.kind == .clashingRequests })
  }
}
#endif
