import Foundation
import Millrace
import MillraceTestStore
import MillraceTesting

/// Runs a test once for each point at which the program can end. In each of these reruns the program ends there and
/// begins again with only the persisted part of its state.
///
/// ```swift
/// let report = await CrashAnywhere(
///   initialState: Weather.State(), reduce: Weather.reduce,
///   persisting: { Weather.State(city: $0.city, forecast: $0.forecast) },
///   connect: { Weather.connect(to: $0, service: Almanac()) }
/// )
/// .run { store in
///   store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
///   store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
///   await store.finish()
/// }
/// #expect(report.isClean, "\(report)")
/// ```
///
/// The test is first run as it is, and fails as any test does. Then it is run again for each point: after each step,
/// and between the actions of an answer. At the point the state is encoded, the store and all runs are dropped, and the
/// state is decoded. The feature is connected to a new store, and the test continues with that store. In reruns the
/// test's own expectations do not count. Only the final state counts, which must be the same.
///
/// After the restart, runs for the requests of the state begin from the start. They send again what the earlier runs of
/// the same requests had sent, and the test's answers continue from there. Use ``notReplaying(_:)`` for runs that must
/// not repeat themselves, such as those of a clock.
///
/// If requests save the state, a state is on disk only some time after it was reduced. ``saving(by:before:)`` names the
/// requests that save, and those that have to wait until the state that asks for them is on disk.
///
/// A step is a call of the test store that sends, answers or receives. Under Swift Testing, expectations of the test
/// that fail in a rerun are known issues. Under XCTest they fail the test: make them only if
/// ``MillraceTestStore/TestStore/isRerun`` is `false`.
///
/// Costs a run of the test for each point, and up to two with ``saving(by:before:)``. Callable from any isolation.
public struct CrashAnywhere<State: Equatable & Sendable, Action: Sendable> {
  private let makeSession: (RehearsedTest<State, Action>) -> TestSession<State, Action>
  private let persisting: @Sendable (State) throws -> State
  private let place: TestPlace
  private var resets: [@Sendable (_ after: inout State, _ before: State) -> Void] = []
  private var isSave: [CrashPlan.IsRequest] = []
  private var waitsForSave: [CrashPlan.IsRequest] = []
  private var isLive: [CrashPlan.IsRequest] = []
  /// The types that `saving` names.
  private var saving: [(name: String, isRequest: CrashPlan.IsRequest)] = []
  private var difference: (State, State) -> MillraceTesting.Difference? = { expected, actual in
    expected == actual ? nil : MillraceTesting.Difference(expected: expected, actual: actual)
  }

  /// Takes the parameters of a `TestStore`, and a closure that persists the state.
  ///
  /// - Parameter persisting: returns the part of a state that is left after the program has ended and begun again. If
  ///   it throws, the report has the error.
  public init(
    initialState: State, options: StoreOptions = StoreOptions(), reduce: @escaping Reducer<State, Action>,
    persisting: @escaping @Sendable (State) throws -> State,
    connect: @escaping @Sendable (Store<State, Action>) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    self.persisting = persisting
    makeSession = { rehearsal in
      TestSession(
        initialState: initialState, serving: .answered, options: options, reduce: reduce, connect: connect,
        rehearsal: rehearsal)
    }
  }

  /// Takes the parameters of a `TestStore`, and persists the state as JSON.
  public init(
    initialState: State, options: StoreOptions = StoreOptions(), reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where State: Codable {
    self.init(
      initialState: initialState, options: options, reduce: reduce,
      persisting: { try JSONDecoder().decode(State.self, from: JSONEncoder().encode($0)) }, connect: connect,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Compares only a part of the states, if the rest may differ.
  public func comparing<Part: Equatable>(_ part: @escaping (State) -> Part) -> Self {
    changed {
      $0.difference = { expected, actual in
        let (expected, actual) = (part(expected), part(actual))
        return expected == actual ? nil : MillraceTesting.Difference(expected: expected, actual: actual)
      }
    }
  }

  /// Excludes a slice that is not persisted on purpose from the losses. At the end of the test the slice has to be the
  /// same as without a restart.
  public func resetting<Slice>(_ slice: any WritableKeyPath<State, Slice> & Sendable) -> Self {
    changed { $0.resets.append { after, before in after[keyPath: slice] = before[keyPath: slice] } }
  }

  /// Declares that runs of these requests do not repeat their actions after a restart, such as those of a clock or of a
  /// live stream.
  public func notReplaying<Request: Hashable & Sendable>(_: Request.Type) -> Self {
    changed { crashes in crashes.isLive.append { $0 is Request } }
  }

  /// Declares that requests of one type save the state.
  ///
  /// For a program in which no request waits for a save; see ``saving(by:before:)``.
  public func saving<Save: Hashable & Sendable>(by _: Save.Type) -> Self {
    changed { crashes in
      crashes.isSave.append { $0 is Save }
      crashes.saving.append(("\(Save.self)", { $0 is Save }))
    }
  }

  /// Declares that requests of one type save the state, and that requests of another type go out only after the state
  /// that asks for them is saved.
  ///
  /// ```swift
  /// .saving(by: Save.self, before: Post.self)
  /// ```
  ///
  /// A save contains the state that asked for it. It is on disk when the test makes its run send an action or return.
  /// At each point, another rerun begins with the state on disk. The report contains each request of the second type
  /// that was sent before the restart and is not asked for again by the end of the test. Nothing on disk recorded such
  /// a request.
  public func saving<Save: Hashable & Sendable, Request: Hashable & Sendable>(
    by _: Save.Type, before _: Request.Type
  ) -> Self {
    saving(by: Save.self).changed { crashes in
      crashes.waitsForSave.append { $0 is Request }
      crashes.saving.append(("\(Request.self)", { $0 is Request }))
    }
  }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Runs the test, then once for each of its points.
  ///
  /// - Parameter test: the test, as it is written for a `TestStore`.
  /// - Throws: the errors of the test when it is run without a restart.
  public func run(_ test: (TestStore<State, Action>) async throws -> Void) async rethrows -> CrashReport {
    let base = RehearsedTest<State, Action>(nil, persisting: persisting)
    let session = makeSession(base)
    try await test(TestStore(session: session, place: place))
    let (steps, points) = base.trial.withLock { ($0.steps, $0.points) }
    let end = session.store.state
    let endLeft = session.book.withLock { $0.leftInProgress }
    var findings = CrashFindings()
    let bound = base.bound.withLock { $0.bound.ofReruns }
    for point in 0..<points {
      let (rerun, last, left) = await rerun(plan(point + 1, .newest), bound, test)
      guard let crash = rerun.trial.withLock({ $0.crash }) else {
        findings.notReached += 1
        continue
      }
      guard case .success(let after) = crash.after else {
        if case .failure(let error) = crash.after { findings.failed(error, at: crash) }
        continue
      }
      if let loop = rerun.bound.withLock({ $0.loop }) { findings.endless(loop, at: crash) }
      findings.lost(difference(crash.before, remembering(after, crash.before)), at: crash)
      findings.ended(difference(end, last), leaving: left.filter { !endLeft.contains($0) }, at: crash)
      if rerun.trial.withLock({ $0.disk.unsaved.isEmpty }) { continue }
      let late = await self.rerun(plan(point + 1, .saved), bound, test).rehearsed
      findings.forgotten(late.trial.withLock { $0.disk.forgotten }, at: crash)
    }
    let asked = base.trial.withLock(\.asked)
    let unseen = saving.filter { !asked.contains(where: $0.isRequest) }.map(\.name)
    return findings.report(steps: steps, points: points, unseen: unseen)
  }

  /// The state after a restart, with the `resetting` slices as before it.
  private func remembering(_ after: State, _ before: State) -> State {
    var state = after
    for copy in resets { copy(&state, before) }
    return state
  }

  private func plan(_ point: Int, _ disk: CrashPlan.Disk) -> CrashPlan {
    func any(_ isRequest: [CrashPlan.IsRequest]) -> CrashPlan.IsRequest {
      { request in isRequest.contains { $0(request) } }
    }
    return CrashPlan(
      point: point, disk: disk, isSave: any(isSave), waitsForSave: any(waitsForSave), isLive: any(isLive))
  }

  private func rerun(
    _ plan: CrashPlan, _ bound: RerunBound, _ test: (TestStore<State, Action>) async throws -> Void
  ) async -> (rehearsed: RehearsedTest<State, Action>, end: State, left: [String]) {
    let rehearsed = RehearsedTest<State, Action>(Rerun(crash: plan, bound: bound), persisting: persisting)
    let session = makeSession(rehearsed)
    let end = await rehearsed.run(session, test, at: place)
    return (rehearsed, end, session.book.withLock { $0.leftInProgress })
  }
}
