import MillraceDescriptors

/// A mistake in the program, or a sign of one, that the store has found.
public struct StoreDiagnostic: Sendable, CustomStringConvertible {
  /// The kinds of mistake that a store finds. More will be added, so a `switch` over them needs a default.
  @nonexhaustive public enum Kind: Sendable, Hashable {
    /// An action was dispatched inside a reducer, a selector or `requests(in:)` of the same store. It was accepted.
    /// Found in debug builds only.
    case dispatchInsideTurn
    /// `dispatchAndWait` was called inside a reducer, a selector or `requests(in:)` of the same store. The action was
    /// dispatched without waiting.
    case waitInsideTurn
    /// `state` was read inside a reducer of the same store, which has exclusive access to the state. The program traps.
    case stateReadInsideReducer
    /// A reducer, a selector or the closure of a lifetime waited for another store, for instance by reading its state
    /// or ending a connection to it. Two stores that do so to each other wait for ever. Found in debug builds.
    case waitForAnotherStore
    /// A run that was not stopped sent an action after it had returned, as from a task that it started and did not
    /// await. The action was fenced. Found in debug builds only.
    case sendAfterReturn
    /// Two requests of one set have the same identity. One of them is served.
    case clashingRequests
    /// `settled()`, `finished()` or a `shutdown()` without a hard deadline has waited for a second. This may be no
    /// mistake, but it helps with a test that does not end. Found in debug builds only.
    case longWait
    /// 10,000 actions wait for the consumer of an `actions()` without a bound, each with the state after it. Found in
    /// debug builds only.
    case slowConsumer
    /// The results of an effect repeatedly lead to its own next request, without a cause from outside.
    case loop
  }

  /// The kind of mistake.
  public let kind: Kind
  /// One sentence that describes the mistake.
  public let message: String
  /// The place of the mistake in the source, or the place that connected the component that made it.
  public let site: CallSite

  /// The place and the message, in the form `Module/File.swift:12: message`.
  public var description: String { "\(site): \(message)" }
}

/// Receives the reports of a store about mistakes in the program.
///
/// ```swift
/// let store = Store(
///   initialState: 0, options: StoreOptions(diagnostics: StoreDiagnostics { log.error("\($0)") }),
///   reduce: { (count: inout Int, step: Int) in count += step })
/// ```
public struct StoreDiagnostics: Sendable {
  let report: @Sendable (StoreDiagnostic) -> Void

  /// Calls `report` with each diagnostic.
  ///
  /// `report` is called on the thread that found the mistake, or on another one if that thread holds a lock. No lock of
  /// the runtime is held. It delays neither reductions nor readers of the state; with the immediate queue it delays the
  /// call on whose stack it is. One exception: if the state is read inside a reducer, `report` is called inside that
  /// reducer, right before the program traps, and must not call the store.
  public init(_ report: @escaping @Sendable (StoreDiagnostic) -> Void) { self.report = report }

  /// Writes each diagnostic as one line to standard error.
  public static let standardError = StoreDiagnostics { StandardError.write(line: "millrace: \($0)") }
}
