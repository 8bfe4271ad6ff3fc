import Millrace
import MillraceSpelling

/// A possible outcome of a run, for an ``Explorer``. It replaces the effect's body, which is not executed.
///
/// The words are those of the test store: an answer ends the run, and a run that sends continues. Each action is a move
/// of its own: properties are checked after each, and the user and other runs may act in between. The last action of an
/// answer and the return of the run are one move.
///
/// A run to which values were handed over may have taken any of them, so the explorer explores the outcomes of each. If
/// the run ends before it takes the newest value, another run begins with that value.
///
/// Experimental: the explorer may change with every version.
public struct Outcome<Action: Sendable>: Sendable {
  let actions: [Action]
  let end: RunStep.End

  /// The run sends the actions, one after the other, and returns. Without actions it returns without sending.
  public static func answers(_ actions: Action...) -> Outcome { Outcome(actions: actions, end: .returns) }

  /// The run sends the actions, one after the other, and continues, such as for a tick of a timer or a line of a
  /// stream. Next it does any of its listed outcomes; ``then(_:fileID:line:)`` selects one.
  public static func sends(_ actions: Action...) -> Outcome { Outcome(actions: actions, end: .continues) }

  /// The run throws the error, which the effect turns into an action.
  public static func fails(_ error: any Error) -> Outcome { Outcome(actions: [], end: .fails(error)) }

  /// Returns this outcome followed by another one of the same run: `.sends(.progress(50)).then(.answers(.done))`.
  ///
  /// If a run may continue in several ways, list it once for each of them:
  ///
  /// ```swift
  /// .outcomes(of: Transfer.Download.self) { download in
  ///   [.sends(.began).then(.answers(.done)), .sends(.began).then(.fails(Offline()))]
  /// }
  /// ```
  ///
  /// The first action then decides which of them the run takes. To decide at the next action instead, list outcomes by
  /// the actions that the run has sent, with the second parameter of the closure of `outcomes`.
  ///
  /// - Precondition: This outcome is one of ``sends(_:)``: a run that has ended does nothing more.
  public func then(_ next: Outcome, fileID: StaticString = #fileID, line: UInt = #line) -> Outcome {
    guard case .continues = end else {
      preconditionFailure("then(_:) at \(fileID):\(line) follows an outcome that has ended its run")
    }
    return Outcome(actions: actions + next.actions, end: next.end)
  }
}

/// The state, and the actions that a run has sent, for outcomes that depend on them.
///
/// Experimental: the explorer may change with every version.
public struct RunHistory<State: Sendable, Action: Sendable>: Sendable {
  /// The present state of the store.
  public let state: State
  /// The actions that the run has sent, as the effect sends them.
  public let sent: [Action]
}

/// The next steps of a run, without the type of its actions.
struct RunStep {
  enum End: Sendable {
    case returns
    case continues
    case fails(any Error)
    /// A policy is going to serve the request again, since the wrapped effect has returned or thrown.
    case repeats(after: (any Error)?)
  }

  /// The actions that it sends, one after the other.
  var actions: [any Sendable]
  var end: End
  /// The act of the policies around the effect that is the first move of this step.
  var act: Timing.Act?

  /// The step in words, which identify it.
  var text: [String] {
    let last =
      switch end {
      case .returns: "returns"
      case .continues: "goes on"
      case .fails(let error): "fails \(Spelling.text(of: error))"
      case .repeats(let error): "repeats \(error.map { Spelling.text(of: $0) } ?? "")"
      }
    return actions.map { Spelling.text(of: $0) } + [last]
  }
}

/// The listed outcomes of the requests of one type, without the types.
struct OutcomeList<State: Sendable>: Sendable {
  /// The name of the connection; `nil` for all connections.
  private let name: String?
  /// The action type of the effects concerned; `nil` for all effects.
  private let actionType: Any.Type?
  /// Whether the outcomes depend on the state and on the actions that the run has sent.
  let looksAtRun: Bool
  /// The request type, and the call site of its list.
  let text: String
  /// The outcomes of a request; `nil` for a request of another type.
  let steps: @Sendable (any Hashable & Sendable, _ state: State, _ sent: [any Sendable]) -> [RunStep]?

  init<Request: Hashable & Sendable, Action: Sendable>(
    of name: String?, sending actionType: Any.Type?, looksAtRun: Bool, at site: CallSite,
    _ outcomes: @escaping @Sendable (Request, RunHistory<State, Action>) -> [Outcome<Action>]
  ) {
    self.name = name
    self.actionType = actionType
    self.looksAtRun = looksAtRun
    text =
      "outcomes(of: \(Spelling.name(of: Request.self)).self\(name.map { ", from: \"\($0)\"" } ?? "")) at \(site)"
    steps = { request, state, sent in
      guard let request = request as? Request else { return nil }
      let run = RunHistory(state: state, sent: sent.compactMap { $0 as? Action })
      return outcomes(request, run).map { RunStep(actions: $0.actions, end: $0.end) }
    }
  }

  /// Whether the list concerns an effect, whatever its request.
  func isAbout(_ effect: any EffectModel) -> Bool {
    (name == nil || name == effect.connection.name) && (actionType == nil || actionType == effect.actionType)
  }
}
