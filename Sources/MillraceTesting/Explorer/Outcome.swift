import Millrace

/// Something that a run of an effect may do, for an ``Explorer``: the effect's body is not executed, and this takes its
/// place.
///
/// The words are those of the test store: an answer ends the run, and a run that sends goes on.
public struct Outcome<Action: Sendable>: Sendable {
  enum End: Sendable {
    case returns
    case goesOn
    case fails(any Error)
  }

  let actions: [Action]
  let end: End

  /// The run sends the actions, one after the other, and returns. Without actions it returns and has sent nothing.
  public static func answers(_ actions: Action...) -> Outcome { Outcome(actions: actions, end: .returns) }

  /// The run sends the actions, one after the other, and goes on: a tick of a timer, a line of a stream.
  public static func sends(_ actions: Action...) -> Outcome { Outcome(actions: actions, end: .goesOn) }

  /// The run throws the error, which the effect turns into an action.
  public static func fails(_ error: any Error) -> Outcome { Outcome(actions: [], end: .fails(error)) }
}

/// What the requests of one type may come to, without the types.
struct OutcomeList: Sendable {
  struct Entry: Sendable {
    enum End {
      case returns
      case goesOn
      case fails(any Error)
      /// The effect within a policy has returned or thrown, and is going to be run again.
      case repeats(after: (any Error)?)
    }

    let actions: [any Sendable]
    let end: End
  }

  /// The name of the connection; `nil` for every one.
  private let name: String?
  /// What the effects send of which it tells; `nil` for every effect.
  private let actionType: Any.Type?
  /// What a request may come to; `nil` for a request of another type.
  let entries: @Sendable (any Hashable & Sendable) -> [Entry]?

  init<Request: Hashable & Sendable, Action: Sendable>(
    of name: String?, sending actionType: Any.Type?,
    _ outcomes: @escaping @Sendable (Request) -> [Outcome<Action>]
  ) {
    self.name = name
    self.actionType = actionType
    entries = { request in
      guard let request = request as? Request else { return nil }
      return outcomes(request).map { Entry(actions: $0.actions, end: $0.erasedEnd) }
    }
  }

  /// Whether it is about the effect of a run, whatever its request.
  func isAbout(_ run: HeldRun) -> Bool {
    (name == nil || name == run.connection.name) && (actionType == nil || actionType == run.actionType)
  }
}

extension Outcome {
  fileprivate var erasedEnd: OutcomeList.Entry.End {
    switch end {
    case .returns: .returns
    case .goesOn: .goesOn
    case .fails(let error): .fails(error)
    }
  }
}
