/// An effect that tells as values when its runs act by themselves, so that a test that explores need not wait or list
/// them. Pure.
package protocol TimedEffect: EffectComponent {
  /// What a run does next by itself; `nil` if it does no more.
  ///
  /// - Parameter acts: how often the run has acted by itself.
  func due(of request: Request, after acts: Int) -> DueAct<Action, Failure>?
}

extension TimedEffect {
  /// What a run of a request of any type does next; `nil` also for a request of another type.
  func erasedDue(of request: any Hashable & Sendable, after acts: Int) -> DueAct<any Sendable, any Error>? {
    guard let request = request as? Request, let due = due(of: request, after: acts) else { return nil }
    let kind: DueAct<any Sendable, any Error>.Kind =
      switch due.kind {
      case .begins: .begins
      case .sends(let actions): .sends(actions)
      case .answers(let actions): .answers(actions)
      case .fails(let failure): .fails(failure)
      }
    return DueAct(after: max(.zero, due.wait), kind)
  }
}
