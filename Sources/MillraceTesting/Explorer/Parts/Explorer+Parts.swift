import Millrace

extension Explorer where Action: Equatable {
  // MARK: Parts

  /// Returns this explorer with a part of the state that a feature has for itself, so that its moves need not be
  /// explored in every order with those of other parts.
  ///
  /// ```swift
  /// .part(\.books) { if case .books = $0 { true } else { false } }
  /// .part(\.films) { if case .films = $0 { true } else { false } }
  /// ```
  ///
  /// The actions of a part read and change nothing but the part. Two moves of different parts then lead to the same
  /// state in either order, and one order is explored. Every state is still reached, by as few moves as without parts;
  /// ``ExplorationReport/Counts/skipped`` says how many moves were left out.
  ///
  /// A move belongs to a part if all actions that it sends do and, where a request is answered, if its effect watches
  /// the part or a slice of it. A restart, a run that acts because its time has come, and what belongs to no part or to
  /// two commute with nothing.
  ///
  /// Nothing is taken on trust: in every state that is explored, a move that is made is seen to leave the rest of the state
  /// as it is and to do to the part what it did to an equal part elsewhere, and of one that is left out the actions are
  /// reduced to see the same. The user's actions of a part have to be the same wherever the part is. Where a declaration is
  /// wrong, the report names it in ``ExplorationReport/problems`` with the story that shows it, and everything is
  /// explored in every order. If an effect watches more than one part, or lifetimes are connected, nothing is left out:
  /// ``ExplorationReport/undivided`` names them.
  ///
  /// Random walks make no use of parts.
  ///
  /// - Parameters:
  ///   - part: the key path of the part. Parts do not overlap.
  ///   - isChangedBy: whether an action is one that reads and changes this part alone. Pure.
  /// - Complexity: for each explored state, one look at each part; for each move that is left out, its reductions and two
  ///   comparisons of the state. Keeps each value of the part, and 8 bytes for each state and part.
  public func part<Part: Hashable & SendableMetatype>(
    _ part: any WritableKeyPath<State, Part> & Sendable,
    changedBy isChangedBy: @escaping @Sendable (Action) -> Bool
  ) -> Explorer {
    changed { $0.parts.append(DeclaredPart(part, changedBy: isChangedBy)) }
  }
}
