import Foundation
import Millrace
import MillraceTesting

/// Runs a test again and again, and has the program end and begin again after each of its steps: with what was
/// persisted of the state, and nothing else.
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
/// The test is run once as it is, and fails as any test does. Then, for each step, it is run again: after the step the
/// state is encoded, the store and all runs are dropped, the state is decoded, and the feature is connected to a new
/// store, to which the rest of the test applies. What the state asks for is asked for again; answers find the new runs.
/// In reruns the test's own expectations do not count, only the state at the end, which has to be the same.
///
/// A step is a call of the test store that sends, answers or receives. Costs a run of the test for each step. Callable
/// from any isolation.
public struct CrashAnywhere<State: Equatable & Sendable, Action: Sendable> {
  private let makeSession: (Rerun?) -> TestSession<State, Action>
  private let place: TestPlace
  private var difference: (State, State) -> MillraceTesting.Difference? = { expected, actual in
    expected == actual ? nil : MillraceTesting.Difference(expected: expected, actual: actual)
  }

  /// Takes what a ``TestStore`` is made with, and how the state is persisted.
  ///
  /// - Parameter persisting: what is left of a state after the program has ended and begun again. An error fails the
  ///   step.
  public init(
    initialState: State, options: StoreOptions = StoreOptions(), reduce: @escaping Reducer<State, Action>,
    persisting: @escaping @Sendable (State) throws -> State,
    connect: @escaping @Sendable (Store<State, Action>) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    makeSession = { rerun in
      TestSession(
        initialState: initialState, serving: .byHand, options: options, reduce: reduce, connect: connect,
        rerun: rerun, persisting: persisting)
    }
  }

  /// Takes what a ``TestStore`` is made with, and persists the state as JSON.
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

  /// Compares only a part of the states, where the rest may differ.
  public func comparing<Part: Equatable>(_ part: @escaping (State) -> Part) -> Self {
    var copy = self
    copy.difference = { expected, actual in
      let (expected, actual) = (part(expected), part(actual))
      return expected == actual ? nil : MillraceTesting.Difference(expected: expected, actual: actual)
    }
    return copy
  }

  /// Runs the test, then once for each of its steps.
  ///
  /// - Parameter test: the test, as it is written for a ``TestStore``.
  /// - Throws: what the test throws when it is run without an end of the program.
  public func run(_ test: (TestStore<State, Action>) async throws -> Void) async rethrows -> CrashReport {
    let session = makeSession(nil)
    try await test(TestStore(session: session, place: place))
    let steps = session.steps.withLock { $0 }
    let end = session.store.state
    var (endings, losses): ([CrashReport.Difference], [CrashReport.Difference]) = ([], [])
    for step in 0..<steps {
      let session = makeSession(Rerun(crash: step + 1))
      await session.runAgain(test, at: place)
      let crash = session.crash.withLock { $0 }
      let action = crash?.action ?? "before any action"
      func add(_ text: String?, to list: inout [CrashReport.Difference]) {
        if let text { list.append(CrashReport.Difference(step: step + 1, action: action, text: text)) }
      }
      if let error = crash?.error {
        add("  the state cannot be persisted: \(error)", to: &losses)
      } else if let crash, let after = crash.after {
        add(difference(crash.before, after)?.description, to: &losses)
      }
      if let last = session.lastState { add(difference(end, last)?.description, to: &endings) }
    }
    return CrashReport(endings: endings, losses: losses, steps: steps)
  }
}
