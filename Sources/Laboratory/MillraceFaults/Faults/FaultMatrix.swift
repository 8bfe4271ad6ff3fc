import Millrace
import MillraceSpelling
import MillraceTestStore

/// Runs a test once for each fault of its requests, and reports the invariants that the faults break.
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
/// The test is first run as it is, and fails as any test does. Then it is run once for each of these faults:
///
/// - All answered requests of a kind fail, never answer, answer late, or answer twice.
/// - One request does so, and the others answer as they should.
/// - A run fails or falls silent after one of the actions after which it continues.
/// - Two of these faults strike different requests.
///
/// In these reruns the test's own expectations do not count, and an answer to a request that is not in progress is
/// skipped. Only the invariants count, and a report without an invariant is not clean.
///
/// A rerun counts as endless after 100 steps and ten times the steps of the test. Its faults then no longer strike, and
/// ``FaultReport/endless`` names it. Faults strike only requests that the test answers by hand, not those whose bodies
/// execute.
///
/// Under Swift Testing, expectations of the test that fail in a rerun are known issues. Under XCTest they fail the
/// test: make them only if ``MillraceTestStore/TestStore/isRerun`` is `false`.
///
/// Callable from any isolation. Costs a run of the test for each fault and each pair.
public struct FaultMatrix<State: Equatable & Sendable, Action: Sendable> {
  private let makeSession: (RehearsedTest<State, Action>) -> TestSession<State, Action>
  private let place: TestPlace
  private var invariants: [TestInvariant<State>] = []
  private var finals: [TestInvariant<State>] = []
  private var failures: [Rerun.FailureOf] = []
  private var isUnfailing: [@Sendable (any Hashable & Sendable) -> Bool] = []
  private var singleLimit: Int?
  private var pairLimit = 500

  /// Takes the parameters of a `TestStore`.
  public init(
    initialState: State, options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    makeSession = { rehearsal in
      TestSession(
        initialState: initialState, serving: .answered, options: options, reduce: reduce, connect: connect,
        rehearsal: rehearsal)
    }
  }

  /// Adds a property of the state that holds after every action, whatever goes wrong.
  public func invariant(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) -> Self {
    changed { $0.invariants.append(TestInvariant(name: name, holds: holds)) }
  }

  /// Adds a property of the state that holds at the end of the test, whatever goes wrong.
  public func finally(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) -> Self {
    changed { $0.finals.append(TestInvariant(name: name, holds: holds)) }
  }

  /// Sets how requests of a type fail. Without this, requests of that type do not fail, and if they can, the report is
  /// not clean.
  public func failures<Request: Hashable & Sendable>(
    of _: Request.Type, _ failure: @escaping @Sendable (Request) -> any Error
  ) -> Self {
    changed { matrix in matrix.failures.append { ($0 as? Request).map(failure) } }
  }

  /// Declares that requests of a type do not fail in reruns, although they can.
  public func withoutFailures<Request: Hashable & Sendable>(of _: Request.Type) -> Self {
    changed { matrix in matrix.isUnfailing.append { $0 is Request } }
  }

  /// Sets the largest number of faults of single requests and of faults halfway. The report counts those left out, and
  /// can be clean without them. The default is 1,000, and a report that leaves out more is not clean.
  public func singles(atMost limit: Int) -> Self {
    changed { $0.singleLimit = limit }
  }

  /// Sets the largest number of pairs of faults; 500 by default.
  public func pairs(atMost limit: Int) -> Self {
    changed { $0.pairLimit = limit }
  }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Runs the test, then once for each fault and each pair of faults.
  ///
  /// - Parameter test: the test, as it is written for a `TestStore`.
  /// - Throws: the errors of the test when it is run without a fault.
  public func run(_ test: (TestStore<State, Action>) async throws -> Void) async rethrows -> FaultReport {
    let base = RehearsedTest<State, Action>(nil, invariants: invariants)
    let session = makeSession(base)
    try await test(TestStore(session: session, place: place))
    var breaks = self.breaks(of: base, endingWith: session.store.state, [])
    let entries = base.answered.withLock { $0.entries }
    let plan = FaultPlan(of: entries, limit: singleLimit ?? 1000, canFail: canFail)
    // Reruns do not report the invariants that the test breaks without a fault.
    let alone = Set(breaks.map(\.invariant))
    var broken: [String: Set<FaultPlan.Strike>] = [:]
    var endless: [String] = []
    let bound = base.bound.withLock { $0.bound.ofReruns }
    for strike in plan.singles {
      for found in await rerun([strike], bound, &endless, test) where !alone.contains(found.invariant) {
        // A fault of one request is no finding of its own if the same fault of all of its kind breaks the invariant.
        if broken[found.invariant]?.contains(strike.ofAll) != true { breaks.append(found) }
        broken[found.invariant, default: []].insert(strike)
      }
    }
    let pairs = plan.pairs
    for (first, second) in pairs.prefix(pairLimit) {
      let strikes = [plan.singles[first], plan.singles[second]]
      breaks += await rerun(strikes, bound, &endless, test).filter {
        !alone.contains($0.invariant) && broken[$0.invariant, default: []].isDisjoint(with: strikes)
      }
    }
    var untried: [String] = []
    for text in entries.compactMap(missingFailure) where !untried.contains(text) { untried.append(text) }
    return FaultReport(
      breaks: breaks, endless: endless, reruns: plan.singles.count + min(pairs.count, pairLimit),
      untriedFailures: untried,
      omittedSingles: plan.omittedSingles, omittedPairs: max(0, pairs.count - pairLimit),
      isOmissionAllowed: singleLimit != nil, unchecked: invariants.isEmpty && finals.isEmpty ? place : nil)
  }

  private func givenFailure(of entry: AnsweredRequests.Entry) -> (any Error)? {
    failures.lazy.compactMap { $0(entry.value) }.first
  }

  private func canFail(_ entry: AnsweredRequests.Entry) -> Bool {
    givenFailure(of: entry).map { Self.isError($0, of: entry.failureType) } ?? false
  }

  /// The reason why a request is not made to fail; `nil` if it is, cannot fail, or is declared not to.
  private func missingFailure(of entry: AnsweredRequests.Entry) -> String? {
    if entry.failureType == Never.self || canFail(entry) { return nil }
    let kind = entry.request.kind.text
    if let error = givenFailure(of: entry) {
      return "\(kind) throws \(Spelling.name(of: entry.failureType)), and the failure given for it is "
        + Spelling.name(of: type(of: error))
    }
    let isUnfailing = isUnfailing.contains { $0(entry.value) }
    return isUnfailing ? nil : "\(kind) can fail, and no failure of it was given"
  }

  private static func isError(_ error: any Error, of type: Any.Type) -> Bool {
    func isError<Failure>(_: Failure.Type) -> Bool { error is Failure }
    return isError(type)
  }

  private func rerun(
    _ strikes: [FaultPlan.Strike], _ bound: RerunBound, _ endless: inout [String],
    _ test: (TestStore<State, Action>) async throws -> Void
  ) async -> [FaultReport.Break] {
    let faults = Dictionary(uniqueKeysWithValues: strikes.map { ($0.target, $0.fault) })
    let rehearsed = RehearsedTest<State, Action>(
      Rerun(faults: faults, failures: failures, bound: bound), invariants: invariants)
    let session = makeSession(rehearsed)
    let end = await rehearsed.run(session, test, at: place)
    let texts = strikes.map(\.text)
    if let loop = rehearsed.bound.withLock({ $0.loop }) {
      endless.append("when \(texts.joined(separator: ", and ")), the test \(loop)")
    }
    return breaks(of: rehearsed, endingWith: end, texts)
  }

  private func breaks(
    of rehearsed: RehearsedTest<State, Action>, endingWith end: State, _ faults: [String]
  ) -> [FaultReport.Break] {
    let (story, broken) = rehearsed.story.withLock { ($0.steps, $0.broken) }
    let found = broken.map {
      FaultReport.Break(faults: faults, invariant: $0.name, story: Array(story.prefix($0.steps)))
    }
    return found
      + finals.filter { !$0.holds(end) }
      .map { FaultReport.Break(faults: faults, invariant: $0.name, story: story) }
  }
}

/// A property of the state that the test states.
struct TestInvariant<State>: Sendable {
  let name: String
  let holds: @Sendable (State) -> Bool
}
