import Millrace
import Testing

/// Runs a test again and again, each time with other requests going wrong, and reports which invariants that breaks.
///
/// ```swift
/// let report = await FaultMatrix(
///   initialState: Weather.State(), reduce: Weather.reduce,
///   connect: { Weather.connect(to: $0, service: Almanac()) }
/// )
/// .failures(of: String.self) { _ in WeatherError.unknownCity }
/// .invariant("a problem or a forecast") { $0.problem == nil || $0.forecast == nil }
/// .run { store in
///   store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
///   store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
///   await store.finish()
/// }
/// #expect(report.isClean, "\(report)")
/// ```
///
/// The test is run once as it is, and fails as any test does. Then it is run with each kind of request that it answers
/// failing, never answering, answering late and answering twice, and with pairs of these. In these reruns the test's
/// own expectations do not count, and an answer to a request that is not in progress is left out: only the invariants
/// count. The test answers by hand; requests whose bodies execute do not go wrong.
///
/// Under Swift Testing, expectations of the test that fail in a rerun are known issues. Callable from any isolation.
/// Costs a run of the test for each fault and each pair.
public struct FaultMatrix<State: Equatable & Sendable, Action: Sendable> {
  private let makeSession: (Rerun?, [TestInvariant<State>]) -> TestSession<State, Action>
  private let place: TestPlace
  private var invariants: [TestInvariant<State>] = []
  private var finals: [TestInvariant<State>] = []
  private var failures: [Rerun.FailureOf] = []
  private var pairLimit = 500

  /// Takes what a ``TestStore`` is made with.
  public init(
    initialState: State, options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    makeSession = { rerun, invariants in
      TestSession(
        initialState: initialState, serving: .byHand, options: options, reduce: reduce, connect: connect,
        rerun: rerun, invariants: invariants)
    }
  }

  /// Adds a property of the state that holds after every action, whatever goes wrong.
  public func invariant(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) -> Self {
    var copy = self
    copy.invariants.append(TestInvariant(name: name, holds: holds))
    return copy
  }

  /// Adds a property of the state that holds at the end of the test, whatever goes wrong.
  public func finally(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) -> Self {
    var copy = self
    copy.finals.append(TestInvariant(name: name, holds: holds))
    return copy
  }

  /// Says how requests of a type fail. Without it none of them does.
  public func failures<Request: Hashable & Sendable>(
    of _: Request.Type, _ failure: @escaping @Sendable (Request) -> any Error
  ) -> Self {
    var copy = self
    copy.failures.append { ($0 as? Request).map(failure) }
    return copy
  }

  /// Sets how many pairs of faults are tried at most; 500 by default.
  public func pairs(atMost limit: Int) -> Self {
    var copy = self
    copy.pairLimit = limit
    return copy
  }

  /// Runs the test, then once for each fault and each pair of faults.
  ///
  /// - Parameter test: the test, as it is written for a ``TestStore``.
  /// - Throws: what the test throws when it is run without a fault.
  public func run(_ test: (TestStore<State, Action>) async throws -> Void) async rethrows -> FaultReport {
    let session = makeSession(nil, invariants)
    try await test(TestStore(session: session, place: place))
    var breaks = self.breaks(of: session, [])
    let kinds = session.kinds.withLock { $0 }
    let singles = kinds.flatMap { kind, canFail in
      RequestFault.allCases.filter { $0 != .fails || canFail && isFailing(kind, session) }.map { (kind, $0) }
    }
    var reruns = 0
    var broken: [String: Set<Int>] = [:]
    for (index, fault) in singles.enumerated() {
      reruns += 1
      for found in await rerun([fault], test) {
        breaks.append(found)
        broken[found.invariant, default: []].insert(index)
      }
    }
    var omitted = 0
    for first in singles.indices {
      for second in singles.indices where second > first && singles[first].0 != singles[second].0 {
        if reruns - singles.count >= pairLimit {
          omitted += 1
          continue
        }
        reruns += 1
        breaks += await rerun([singles[first], singles[second]], test).filter {
          broken[$0.invariant, default: []].isDisjoint(with: [first, second])
        }
      }
    }
    return FaultReport(
      breaks: breaks, reruns: reruns,
      untriedFailures: kinds.filter { $0.canFail && !isFailing($0.kind, session) }.map(\.kind.text),
      omittedPairs: omitted)
  }

  private func isFailing(_ kind: RequestKind, _ session: TestSession<State, Action>) -> Bool {
    let requests = session.answered.withLock { $0[kind, default: []] }
    return requests.contains { request in failures.contains { $0(request) != nil } }
  }

  private func rerun(
    _ faults: [(RequestKind, RequestFault)], _ test: (TestStore<State, Action>) async throws -> Void
  ) async -> [FaultReport.Break] {
    let rerun = Rerun(faults: Dictionary(uniqueKeysWithValues: faults), failures: failures)
    let session = makeSession(rerun, invariants)
    await session.runAgain(test, at: place)
    return breaks(of: session, faults.map { "\($0.0.text) \($0.1.text)" })
  }

  private func breaks(of session: TestSession<State, Action>, _ faults: [String]) -> [FaultReport.Break] {
    let (story, broken, end) = session.book.withLock { ($0.story, $0.broken, $0.asserted) }
    let found = broken.map {
      FaultReport.Break(faults: faults, invariant: $0.name, story: Array(story.prefix($0.steps)))
    }
    return found
      + finals.filter { !$0.holds(session.lastState ?? end) }
      .map { FaultReport.Break(faults: faults, invariant: $0.name, story: story) }
  }
}

/// A property of the state that a test demands.
struct TestInvariant<State>: Sendable {
  let name: String
  let holds: @Sendable (State) -> Bool
}
