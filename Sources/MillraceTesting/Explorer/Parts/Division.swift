import Millrace

/// Which moves belong to which of the declared parts.
final class Division<Action: Sendable> {
  private let isChangedBy: [@Sendable (Action) -> Bool]
  private let names: [String]
  private let partOfConnection: [UInt64: Int]
  /// What decides by more than one part of the state. If there is any, nothing commutes.
  let undivided: [String]
  /// Actions that are claimed by two parts.
  private(set) var claims: [String] = []

  init<State>(_ parts: [DeclaredPart<State, Action>], _ store: ExploredStore<State, Action>) {
    isChangedBy = parts.map(\.isChangedBy)
    names = parts.map(\.name)
    let deciders = store.deciders(in: parts.map { $0.explored() })
    undivided = deciders.filter { $0.part == nil }.map(\.connection.description)
    let divided = deciders.compactMap { decider in decider.part.map { (decider.connection.number, $0) } }
    partOfConnection = Dictionary(divided) { first, _ in first }
  }

  var count: Int { names.count }

  /// The part to which an action belongs; `nil` if there is none.
  func part(of action: Action) -> Int? {
    guard let part = isChangedBy.firstIndex(where: { $0(action) }) else { return nil }
    guard let other = isChangedBy[(part + 1)...].firstIndex(where: { $0(action) }) else { return part }
    let claim =
      "\(Spelling.text(of: action)) belongs to \(names[part]) and to \(names[other]), and so commutes with nothing"
    if !claims.contains(claim) { claims.append(claim) }
    return nil
  }

  /// The part of the effect of a connection.
  func part(of connection: ConnectionIdentity) -> Int? { partOfConnection[connection.number] }

  /// The part to which an outcome of a run belongs, by the actions that it sends.
  func part(of steps: [MoveStep<Action>], by run: HeldRun) -> Int? {
    let part = part(of: run.connection)
    return steps.compactMap(\.action).allSatisfy { self.part(of: $0) == part } ? part : nil
  }
}

extension MoveStep {
  /// The action that is reduced, if one is.
  var action: Action? {
    switch self {
    case .reduces(let action), .sends(let action, _): action
    case .returns: nil
    }
  }
}
